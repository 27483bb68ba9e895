kubectl kueue list workload -n nowhere --snapshot tests/golden/data/lists.yaml
