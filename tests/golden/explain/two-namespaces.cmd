kubectl kueue explain workload train --snapshot tests/golden/data/twins.yaml
