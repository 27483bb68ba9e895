kubectl kueue lint -f tests/golden/lint/manifests/job.yaml --snapshot examples/snapshot.json
