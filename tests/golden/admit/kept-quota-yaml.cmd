kubectl kueue admit --dry-run -o yaml --snapshot tests/data/reports/22-strictfifo-head-holds-lendable-quota.yaml
