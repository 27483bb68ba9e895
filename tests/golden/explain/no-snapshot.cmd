kubectl kueue explain workload job-1
