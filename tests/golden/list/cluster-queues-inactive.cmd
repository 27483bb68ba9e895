kubectl kueue list clusterqueues --active=false --snapshot tests/golden/data/lists.yaml
