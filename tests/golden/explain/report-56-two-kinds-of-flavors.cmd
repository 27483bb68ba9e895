kubectl kueue explain workload job-wide-228b0 --snapshot tests/data/reports/56-tas-and-plain-flavor-in-one-queue.yaml
