kubectl kueue explain workload job-report-0c95a --snapshot tests/data/reports/08-namespace-selector-mismatch.yaml
