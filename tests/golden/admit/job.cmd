kubectl kueue admit --dry-run -f tests/golden/data/job.yaml --snapshot examples/snapshot.json
