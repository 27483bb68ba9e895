kubectl kueue explain workload job-late --no-suggest --set clusterqueue/cq:nominalQuota.cpu.default=9 --snapshot tests/golden/data/joined.yaml
