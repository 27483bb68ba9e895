kubectl kueue admit --dry-run -o json --snapshot tests/data/reports/32-reclaim-behind-an-impossible-head.yaml
