kubectl kueue admit --dry-run -f tests/golden/data/small-job.yaml --snapshot examples/snapshot.json
