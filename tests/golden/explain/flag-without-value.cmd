kubectl kueue explain workload job-1 --snapshot
