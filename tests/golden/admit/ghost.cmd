kubectl kueue admit --dry-run --snapshot tests/data/reports/19-ghost-workload-holds-quota.yaml
