kubectl kueue top workload --borrowers --snapshot examples/snapshot.json
