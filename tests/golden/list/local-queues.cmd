kubectl kueue list lq -A --snapshot tests/golden/data/lists.yaml
