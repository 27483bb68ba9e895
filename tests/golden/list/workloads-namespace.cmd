kubectl kueue list kwl -n team-b --snapshot tests/golden/data/lists.yaml
