kubectl kueue list wl -o wide --snapshot tests/golden/data/lists.yaml
