kubectl kueue explain job/train-typo -n team-a --snapshot tests/data/reports/69-list-workload-for-missing-object.yaml
