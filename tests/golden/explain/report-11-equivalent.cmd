kubectl kueue explain workload job-sweep-2-ef26a --snapshot tests/data/reports/11-bypassed-equivalent-workload.yaml
