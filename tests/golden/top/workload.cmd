kubectl kueue top workload --clusterqueue team-b-cq --sort gpu --snapshot examples/snapshot.json
