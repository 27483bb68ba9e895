kubectl kueue explain rf a100 --for train-big --snapshot examples/snapshot.json
