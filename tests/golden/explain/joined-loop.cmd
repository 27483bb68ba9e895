kubectl kueue explain workload job-ping --no-suggest --snapshot tests/golden/data/joined.yaml
