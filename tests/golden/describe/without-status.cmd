kubectl kueue describe cq gpus --snapshot tests/golden/data/trees.yaml
