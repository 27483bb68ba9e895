kubectl kueue describe rf spot --no-events --snapshot tests/golden/data/team-queues.yaml
