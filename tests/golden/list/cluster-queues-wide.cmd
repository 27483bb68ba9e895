kubectl kueue list cq -o wide --snapshot tests/golden/data/lists.yaml
