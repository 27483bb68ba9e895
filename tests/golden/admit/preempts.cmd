kubectl kueue admit --dry-run --snapshot tests/data/reports/32-reclaim-behind-an-impossible-head.yaml
