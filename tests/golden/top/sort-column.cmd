kubectl kueue top --sort used --resource cpu --snapshot examples/snapshot.json
