kubectl kueue explain cohort ab --snapshot tests/data/reports/27-lending-limit-caps-the-borrower.yaml
