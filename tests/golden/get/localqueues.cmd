kubectl kueue get lq -A --snapshot tests/golden/data/team-queues.yaml
