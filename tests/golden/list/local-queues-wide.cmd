kubectl kueue list localqueue -n team-a -o wide --snapshot tests/golden/data/lists.yaml
