kubectl kueue list cq -l no=match --snapshot tests/golden/data/lists.yaml
