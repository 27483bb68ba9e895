kubectl kueue list workload -q main --snapshot tests/golden/data/lists.yaml
