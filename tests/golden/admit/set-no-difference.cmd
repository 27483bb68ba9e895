kubectl kueue admit --dry-run --snapshot examples/snapshot.json --set clusterqueue/team-a-cq:queueingStrategy=StrictFIFO
