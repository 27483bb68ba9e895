kubectl kueue explain workload
