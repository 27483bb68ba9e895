kubectl kueue explain workload job-off-97766 --snapshot tests/data/reports/18-stopped-queues-and-inactive-workload.yaml
