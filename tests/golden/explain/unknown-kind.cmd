kubectl kueue explain banana job-1 --snapshot examples/snapshot.json
