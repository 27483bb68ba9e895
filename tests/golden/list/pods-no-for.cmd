kubectl kueue list pods -n team-a --snapshot tests/golden/data/lists.yaml
