kubectl kueue explain workload job-be-1-fe194 --snapshot tests/data/reports/22-strictfifo-head-holds-lendable-quota.yaml
