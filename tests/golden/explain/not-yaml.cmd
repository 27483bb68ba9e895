kubectl kueue explain workload w --snapshot tests/golden/data/not.yaml
