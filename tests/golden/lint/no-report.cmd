kubectl kueue explain workload team-a/train-huge --snapshot examples/snapshot.json -o sarif
