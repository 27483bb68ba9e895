kubectl kueue admit --dry-run train-big --snapshot examples/snapshot.json
