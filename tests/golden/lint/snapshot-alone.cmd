kubectl kueue lint --snapshot examples/snapshot.json
