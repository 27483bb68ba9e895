kubectl kueue explain workload job-finetune-4f91d --snapshot tests/data/reports/07-clusterqueue-inactive-missing-flavors.yaml
