kubectl kueue explain workload train-bg --snapshot examples/snapshot.json
