kubectl kueue explain wl train-huge --snapshot examples/snapshot.json -o yaml
