kubectl kueue explain ml/whole-hosts --snapshot tests/golden/data/trees.yaml
