kubectl kueue doctor --snapshot tests/data/reports/88-integration-not-enabled.yaml --select configuration,stuck
