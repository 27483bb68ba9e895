kubectl kueue describe clusterqueue nope --snapshot tests/golden/data/team-queues.yaml
