kubectl kueue explain rf h100 --for job-exp-1a3a7 --snapshot tests/data/reports/52-no-flavor-matches-node-selector.yaml
