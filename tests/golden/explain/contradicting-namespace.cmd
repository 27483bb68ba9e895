kubectl kueue explain workload team-b/sweep-1 -n team-a --snapshot examples/snapshot.json
