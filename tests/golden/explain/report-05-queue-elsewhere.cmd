kubectl kueue explain workload job-etl-72eba --snapshot tests/data/reports/05-localqueue-in-other-namespace.yaml
