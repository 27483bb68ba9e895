kubectl kueue describe cq idle --snapshot tests/golden/data/team-queues.yaml
