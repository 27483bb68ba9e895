kubectl kueue list cq -l 'a b' --snapshot tests/golden/data/lists.yaml
