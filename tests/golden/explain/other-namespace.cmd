kubectl kueue explain workload sweep-1 -n team-a --snapshot examples/snapshot.json
