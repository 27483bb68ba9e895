kubectl kueue describe cq/vision --snapshot tests/golden/data/team-queues.yaml
