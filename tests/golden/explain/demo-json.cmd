kubectl kueue explain workload/train-big --snapshot examples/snapshot.json -o json
