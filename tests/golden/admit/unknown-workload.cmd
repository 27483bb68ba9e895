kubectl kueue admit --dry-run train-bgi --snapshot examples/snapshot.json
