kubectl kueue get cq --show-labels -L team --snapshot tests/golden/data/team-queues.yaml
