kubectl kueue list prc -o wide --snapshot tests/golden/data/lists.yaml
