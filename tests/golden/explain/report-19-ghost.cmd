kubectl kueue explain workload job-next-f7b4b --snapshot tests/data/reports/19-ghost-workload-holds-quota.yaml
