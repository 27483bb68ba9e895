kubectl kueue describe wl job-off --snapshot tests/golden/data/team-queues.yaml
