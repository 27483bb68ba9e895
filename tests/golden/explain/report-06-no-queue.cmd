kubectl kueue explain workload job-adhoc-b374d --snapshot tests/data/reports/06-manage-jobs-without-queue-name-no-default-queue.yaml
