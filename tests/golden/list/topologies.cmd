kubectl kueue list topology --snapshot tests/golden/data/lists.yaml
