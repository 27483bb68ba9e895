kubectl kueue top --interval 0 --snapshot examples/snapshot.json
