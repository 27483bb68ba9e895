kubectl kueue get rf/spot -o json --snapshot tests/golden/data/team-queues.yaml
