kubectl kueue list cq shared --snapshot tests/golden/data/lists.yaml
