kubectl kueue list cq --active=maybe --snapshot tests/golden/data/lists.yaml
