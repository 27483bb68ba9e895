kubectl kueue list flavors -o wide --snapshot tests/golden/data/lists.yaml
