kubectl kueue get topologies --snapshot tests/golden/data/team-queues.yaml
