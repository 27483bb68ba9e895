kubectl kueue convert -f tests/golden/data/serving.yaml --snapshot examples/snapshot.json
