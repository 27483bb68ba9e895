kubectl kueue explain ml/one-rack --snapshot tests/golden/data/trees.yaml
