kubectl kueue explain job/train -o json --snapshot tests/golden/data/joined.yaml
