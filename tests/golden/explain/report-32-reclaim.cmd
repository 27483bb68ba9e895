kubectl kueue explain workload job-job-4-925f7 --snapshot tests/data/reports/32-reclaim-behind-an-impossible-head.yaml
