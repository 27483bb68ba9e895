kubectl kueue top --watch --snapshot examples/snapshot.json
