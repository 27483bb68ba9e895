kubectl kueue list cq -l team=infra -o yaml --snapshot tests/golden/data/lists.yaml
