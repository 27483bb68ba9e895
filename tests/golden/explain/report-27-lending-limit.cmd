kubectl kueue explain workload job-five-0a58b --snapshot tests/data/reports/27-lending-limit-caps-the-borrower.yaml
