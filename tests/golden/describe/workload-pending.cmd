kubectl kueue describe workload job-huge -n vision --snapshot tests/golden/data/team-queues.yaml
