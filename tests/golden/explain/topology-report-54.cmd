kubectl kueue explain job-full-node-09d94 --snapshot tests/data/reports/54-tas-fragmentation.yaml
