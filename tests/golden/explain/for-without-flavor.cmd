kubectl kueue explain cq team-a-cq --for train-big --snapshot examples/snapshot.json
