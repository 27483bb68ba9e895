kubectl kueue list workload --snapshot tests/golden/data/lists.yaml
