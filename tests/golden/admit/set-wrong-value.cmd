kubectl kueue admit --dry-run --snapshot examples/snapshot.json --set cq/team-a-cq:queueingStrategy=Fair
