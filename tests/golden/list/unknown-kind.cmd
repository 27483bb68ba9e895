kubectl kueue list widget --snapshot tests/golden/data/lists.yaml
