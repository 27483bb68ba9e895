kubectl kueue get cq -o name --snapshot tests/golden/data/team-queues.yaml
