kubectl kueue top lq -A --snapshot tests/golden/data/lending.yaml
