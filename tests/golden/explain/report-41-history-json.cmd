kubectl kueue explain workload job-ping-a78b9 --no-suggest --snapshot tests/data/reports/41-preemption-thrashing.yaml -o jsonpath={.history}
