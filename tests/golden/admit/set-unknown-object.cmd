kubectl kueue admit --dry-run --snapshot examples/snapshot.json --set cq/nope:cohortName=x
