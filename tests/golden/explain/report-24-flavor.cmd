kubectl kueue explain resourceflavor default-flavor --snapshot tests/data/reports/24-quota-exceeds-nodes.yaml
