kubectl kueue admit --dry-run job-job-4-925f7 --trace --snapshot tests/data/reports/32-reclaim-behind-an-impossible-head.yaml
