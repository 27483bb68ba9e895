kubectl kueue explain cq gpu-cq --snapshot tests/data/reports/23-strictfifo-cross-flavor-head-of-line.yaml
