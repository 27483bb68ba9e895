kubectl kueue explain workload job-j-c-1b42d --snapshot tests/data/reports/24-quota-exceeds-nodes.yaml
