kubectl kueue tree localqueue/gpu --snapshot examples/snapshot.json
