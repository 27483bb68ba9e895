kubectl kueue list localqueue -A -c broken --snapshot tests/golden/data/lists.yaml
