kubectl kueue explain workload job-late --no-suggest --snapshot tests/golden/data/joined.yaml
