kubectl kueue explain workload train -n team-b --snapshot tests/golden/data/twins.yaml
