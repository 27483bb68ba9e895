kubectl kueue top --snapshot examples/snapshot.json
