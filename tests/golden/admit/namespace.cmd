kubectl kueue admit --dry-run -n team-b --snapshot examples/snapshot.json
