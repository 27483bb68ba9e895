kubectl kueue explain ml/one-rack -o json --snapshot tests/golden/data/trees.yaml
