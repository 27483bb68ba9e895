kubectl kueue top pods --snapshot examples/snapshot.json
