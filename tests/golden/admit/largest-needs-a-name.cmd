kubectl kueue admit --dry-run --snapshot examples/snapshot.json --largest
