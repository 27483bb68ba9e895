kubectl kueue admit --dry-run --snapshot examples/snapshot.json train-big -n team-a --largest --as-priority interactive
