kubectl kueue top cohort research --snapshot examples/snapshot.json
