kubectl kueue get rf,ac,wpc -o wide --snapshot tests/golden/data/team-queues.yaml
