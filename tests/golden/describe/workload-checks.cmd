kubectl kueue describe wl job-checked --snapshot tests/golden/data/team-queues.yaml
