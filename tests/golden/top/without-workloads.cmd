kubectl kueue top --snapshot tests/golden/data/status-only.yaml
