kubectl kueue explain workload job-1 --snapshoot x.json
