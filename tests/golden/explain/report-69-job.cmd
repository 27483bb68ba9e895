kubectl kueue explain job/train -n team-a --no-suggest --snapshot tests/data/reports/69-list-workload-for-missing-object.yaml
