kubectl kueue explain workload job-fit-fa618 --snapshot tests/data/reports/59-tas-node-taken-by-unmanaged-pod.yaml
