kubectl kueue explain workload job-render-ef253 --snapshot tests/data/reports/02-untolerated-flavor-taint.yaml
