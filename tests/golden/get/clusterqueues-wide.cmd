kubectl kueue get cq -o wide --snapshot tests/golden/data/team-queues.yaml
