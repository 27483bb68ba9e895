kubectl kueue get configmaps --snapshot tests/golden/data/team-queues.yaml
