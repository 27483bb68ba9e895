kubectl kueue top --borrowers --snapshot tests/golden/data/lending.yaml
