kubectl kueue tree --snapshot tests/golden/data/lending.yaml
