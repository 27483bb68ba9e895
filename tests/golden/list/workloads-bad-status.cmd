kubectl kueue list workload --status evicted --snapshot tests/golden/data/lists.yaml
