kubectl kueue explain workload job-exp-1a3a7 --snapshot tests/data/reports/52-no-flavor-matches-node-selector.yaml
