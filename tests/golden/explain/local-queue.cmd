kubectl kueue explain localqueue gpu -n team-a --snapshot examples/snapshot.json
