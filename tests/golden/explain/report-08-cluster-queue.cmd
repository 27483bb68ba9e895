kubectl kueue explain cq shared-cq --snapshot tests/data/reports/08-namespace-selector-mismatch.yaml
