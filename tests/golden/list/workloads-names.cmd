kubectl kueue list workload --status held -o name --snapshot tests/golden/data/lists.yaml
