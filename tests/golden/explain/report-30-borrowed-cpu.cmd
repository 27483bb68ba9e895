kubectl kueue explain workload job-job-1-42cc4 --snapshot tests/data/reports/30-guaranteed-gpu-but-borrowed-cpu.yaml
