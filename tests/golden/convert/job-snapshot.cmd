kubectl kueue convert -f tests/golden/data/job.yaml --snapshot examples/snapshot.json
