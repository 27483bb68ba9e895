kubectl kueue top flavor --snapshot tests/golden/data/lending.yaml
