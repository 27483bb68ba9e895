kubectl kueue get workloads --snapshot tests/golden/data/team-queues.yaml
