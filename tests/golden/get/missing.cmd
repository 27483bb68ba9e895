kubectl kueue get clusterqueue nope --snapshot tests/golden/data/team-queues.yaml
