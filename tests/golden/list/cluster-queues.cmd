kubectl kueue list clusterqueue --snapshot tests/golden/data/lists.yaml
