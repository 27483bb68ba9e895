kubectl kueue list localqueue --field-selector spec.clusterQueue=shared --snapshot tests/golden/data/lists.yaml
