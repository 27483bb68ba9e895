kubectl kueue explain workload job-solver-f1d7c --snapshot tests/data/reports/10-limitrange-max-exceeded.yaml
