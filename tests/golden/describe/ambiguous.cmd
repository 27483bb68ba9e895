kubectl kueue describe lq main --snapshot tests/golden/data/team-queues.yaml
