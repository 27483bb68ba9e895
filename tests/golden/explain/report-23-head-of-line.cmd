kubectl kueue explain workload job-small-cec18 --snapshot tests/data/reports/23-strictfifo-cross-flavor-head-of-line.yaml
