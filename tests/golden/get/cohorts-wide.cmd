kubectl kueue get co -o wide --snapshot tests/golden/data/team-queues.yaml
