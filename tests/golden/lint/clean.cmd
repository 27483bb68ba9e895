kubectl kueue lint -f tests/golden/lint/manifests/clean.yaml
