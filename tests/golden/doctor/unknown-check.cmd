kubectl kueue doctor --select capacities --snapshot examples/snapshot.json
