kubectl kueue top --sort zz --snapshot examples/snapshot.json
