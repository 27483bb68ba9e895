kubectl kueue explain cq ml-cq --snapshot tests/data/reports/07-clusterqueue-inactive-missing-flavors.yaml
