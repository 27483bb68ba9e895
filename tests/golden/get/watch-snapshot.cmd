kubectl kueue get cq -w --snapshot tests/golden/data/team-queues.yaml
