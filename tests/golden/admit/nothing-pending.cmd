kubectl kueue admit --dry-run --snapshot tests/data/reports/28-cohort-borrowing-limit-without-parent.yaml
