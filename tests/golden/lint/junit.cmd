kubectl kueue lint -f tests/golden/lint/manifests -o junit
