kubectl kueue admit --dry-run --timeline --durations=-1h --snapshot tests/data/reports/20-borrowing-needs-a-cohort.yaml
