kubectl kueue lint -f tests/golden/lint/manifests/queues.yaml -o patch
