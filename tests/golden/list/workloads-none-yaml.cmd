kubectl kueue list workload -n nowhere -o yaml --snapshot tests/golden/data/lists.yaml
