kubectl kueue describe ac,wpc --snapshot tests/golden/data/team-queues.yaml
