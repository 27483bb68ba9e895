kubectl kueue explain ml/anywhere --topology --snapshot tests/golden/data/trees.yaml
