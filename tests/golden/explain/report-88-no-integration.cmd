kubectl kueue explain rayjob/ml/tune --snapshot tests/data/reports/88-integration-not-enabled.yaml
