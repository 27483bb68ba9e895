kubectl kueue explain workload job-1 job-2
