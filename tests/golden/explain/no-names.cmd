kubectl kueue explain train-big --snapshot examples/snapshot.json -o name
