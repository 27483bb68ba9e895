kubectl kueue explain ml/placed --topology --snapshot tests/golden/data/trees.yaml
