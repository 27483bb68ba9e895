kubectl kueue explain train-big --snapshot examples/snapshot.json --exit-code
