kubectl kueue explain job/train --snapshot tests/golden/data/joined.yaml
