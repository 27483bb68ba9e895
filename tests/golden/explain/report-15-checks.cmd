kubectl kueue explain workload job-train-40b3a --snapshot tests/data/reports/15-quota-reserved-not-admitted.yaml
