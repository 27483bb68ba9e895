kubectl kueue explain workload job-third-a49b8 --snapshot tests/data/reports/20-borrowing-needs-a-cohort.yaml
