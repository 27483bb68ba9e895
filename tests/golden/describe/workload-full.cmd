kubectl kueue describe workload job-huge -n vision --full --snapshot tests/golden/data/team-queues.yaml
