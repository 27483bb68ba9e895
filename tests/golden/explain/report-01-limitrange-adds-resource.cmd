kubectl kueue explain workload job-nightly-c186f --snapshot tests/data/reports/01-uncovered-resource-from-limitrange.yaml
