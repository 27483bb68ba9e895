kubectl kueue explain team-a/train-big --snapshot examples/snapshot.json --trace
