kubectl kueue list workload -c shared --status pending --snapshot tests/golden/data/lists.yaml
