kubectl kueue top -o dot --snapshot examples/snapshot.json
