kubectl kueue tree --snapshot tests/golden/data/status-only.yaml
