kubectl kueue explain cq/team-a-cq --snapshot examples/snapshot.json -o json
