kubectl kueue explain cohort research --snapshot examples/snapshot.json -o json
