kubectl kueue list pods --for clusterqueue/shared --snapshot tests/golden/data/lists.yaml
