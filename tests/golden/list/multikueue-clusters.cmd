kubectl kueue list mkc -o wide --snapshot tests/golden/data/lists.yaml
