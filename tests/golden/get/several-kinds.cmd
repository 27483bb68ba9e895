kubectl kueue get rf,ac,wpc --snapshot tests/golden/data/team-queues.yaml
