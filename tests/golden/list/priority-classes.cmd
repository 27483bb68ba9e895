kubectl kueue list wpc -o wide --snapshot tests/golden/data/lists.yaml
