kubectl kueue get widgets --snapshot tests/golden/data/team-queues.yaml
