kubectl kueue doctor --snapshot examples/snapshot.json
