kubectl kueue explain -f tests/golden/data/job.yaml --snapshot examples/snapshot.json
