kubectl kueue list cq -l 'team in (infra),!x' --snapshot tests/golden/data/lists.yaml
