kubectl kueue explain node n1 --snapshot tests/data/reports/54-tas-fragmentation.yaml
