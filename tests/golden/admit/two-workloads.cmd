kubectl kueue admit --dry-run train-big train-huge --snapshot examples/snapshot.json
