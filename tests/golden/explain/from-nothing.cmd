kubectl kueue explain -f tests/golden/data/empty.yaml --snapshot examples/snapshot.json
