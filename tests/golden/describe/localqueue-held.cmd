kubectl kueue describe lq held --snapshot tests/golden/data/team-queues.yaml
