kubectl kueue tree --snapshot examples/snapshot.json
