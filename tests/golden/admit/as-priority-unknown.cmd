kubectl kueue admit --dry-run --snapshot examples/snapshot.json train-big -n team-a --as-priority nope
