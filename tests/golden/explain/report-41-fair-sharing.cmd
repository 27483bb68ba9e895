kubectl kueue explain workload job-ping-a78b9 --snapshot tests/data/reports/41-preemption-thrashing.yaml
