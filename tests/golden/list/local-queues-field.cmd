kubectl kueue list localqueue -n team-a --field-selector metadata.name=main -o json --snapshot tests/golden/data/lists.yaml
