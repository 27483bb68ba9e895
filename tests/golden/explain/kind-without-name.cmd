kubectl kueue explain cq --snapshot examples/snapshot.json
