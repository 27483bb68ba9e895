kubectl kueue doctor --snapshot tests/data/reports/24-quota-exceeds-nodes.yaml --select capacity --strict
