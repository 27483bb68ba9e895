kubectl kueue lint -f tests/golden/lint/manifests/job.yaml -f tests/golden/lint/manifests/queues.yaml --disable api-field --strict
