kubectl kueue explain ml/one-rack --topology --snapshot tests/golden/data/trees.yaml
