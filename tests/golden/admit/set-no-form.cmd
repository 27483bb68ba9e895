kubectl kueue admit --dry-run --snapshot examples/snapshot.json --set cohortName=x
