kubectl kueue list workload --status Held,running --status inactive --status failed --snapshot tests/golden/data/lists.yaml
