kubectl kueue explain workload train --snapshot tests/golden/data/dangling.yaml
