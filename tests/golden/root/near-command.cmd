kubectl kueue explan workload job-1
