kubectl kueue admit --dry-run --snapshot examples/snapshot.json --timeline --durations soon
