kubectl kueue explain clusterqueue team-a-cq --snapshot examples/snapshot.json
