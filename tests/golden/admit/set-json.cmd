kubectl kueue admit --dry-run --snapshot examples/snapshot.json train-big -n team-a --set cq/team-a-cq:preemption.reclaimWithinCohort=Any -o 'jsonpath={.comparison}'
