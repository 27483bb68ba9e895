kubectl kueue get topologies -o json --snapshot tests/golden/data/team-queues.yaml
