kubectl kueue explain workload job-fit-fa618 --snapshot tests/data/reports/64-admission-check-inactive.yaml
