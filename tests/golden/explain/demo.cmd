kubectl kueue explain workload train-big --namespace team-a --snapshot examples/snapshot.json
