kubectl kueue tree reserch --snapshot examples/snapshot.json
