kubectl kueue describe cohort all --snapshot tests/golden/data/team-queues.yaml
