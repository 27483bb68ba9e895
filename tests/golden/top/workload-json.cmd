kubectl kueue top workload/sweep-1 --snapshot examples/snapshot.json -o json
