kubectl kueue doctor --snapshot tests/golden/data/dangling.yaml
