kubectl kueue explain team-a/train-big --topology --snapshot examples/snapshot.json
