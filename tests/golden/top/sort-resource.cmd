kubectl kueue top --sort gpu --snapshot examples/snapshot.json
