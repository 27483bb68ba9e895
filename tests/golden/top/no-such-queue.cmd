kubectl kueue top cq team-c --snapshot examples/snapshot.json
