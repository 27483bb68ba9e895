kubectl kueue doctor --snapshot tests/data/reports/84-stale-visibility-apiservice.yaml
