kubectl kueue explain localqueue/train -n ml --snapshot tests/data/reports/07-clusterqueue-inactive-missing-flavors.yaml
