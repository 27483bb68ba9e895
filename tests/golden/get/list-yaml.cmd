kubectl kueue get wpc,ac -o yaml --snapshot tests/golden/data/team-queues.yaml
