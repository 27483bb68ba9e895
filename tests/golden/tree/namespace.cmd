kubectl kueue tree -n ml --flavor spot --snapshot tests/golden/data/lending.yaml
