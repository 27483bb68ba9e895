kubectl kueue explain workload w --snapshot tests/golden/data/wrong-type.yaml
