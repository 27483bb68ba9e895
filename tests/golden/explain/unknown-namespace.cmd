kubectl kueue explain workload train-big -n team-c --snapshot examples/snapshot.json
