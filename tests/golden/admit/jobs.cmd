kubectl kueue admit --dry-run -f tests/golden/data/serving.yaml --snapshot examples/snapshot.json
