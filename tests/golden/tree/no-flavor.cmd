kubectl kueue tree --flavor h100 --snapshot examples/snapshot.json
