kubectl kueue describe wl job-running --snapshot tests/golden/data/team-queues.yaml
