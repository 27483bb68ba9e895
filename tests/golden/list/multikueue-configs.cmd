kubectl kueue list mkconf --snapshot tests/golden/data/lists.yaml
