kubectl kueue get clusterqueues --snapshot tests/golden/data/team-queues.yaml
