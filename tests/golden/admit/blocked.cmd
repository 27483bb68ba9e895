kubectl kueue admit --dry-run --snapshot tests/data/reports/18-stopped-queues-and-inactive-workload.yaml
