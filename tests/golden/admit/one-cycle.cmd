kubectl kueue admit --dry-run --cycles 1 --snapshot examples/snapshot.json
