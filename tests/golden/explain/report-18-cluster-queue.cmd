kubectl kueue explain cq frozen-cq --snapshot tests/data/reports/18-stopped-queues-and-inactive-workload.yaml
