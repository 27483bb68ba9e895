kubectl kueue tree --snapshot tests/golden/data/dangling.yaml
