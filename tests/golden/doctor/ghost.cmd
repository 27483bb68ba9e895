kubectl kueue doctor --snapshot tests/data/reports/19-ghost-workload-holds-quota.yaml
