kubectl kueue list rf --snapshot tests/golden/data/lists.yaml
