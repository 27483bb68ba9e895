kubectl kueue explain workload job-infer-e5b75 --snapshot tests/data/reports/14-limits-only.yaml
