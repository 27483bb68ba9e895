kubectl kueue explain workload job-dws-d2da4 --snapshot tests/data/reports/63-admission-check-retry-backoff.yaml
