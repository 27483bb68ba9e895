kubectl kueue explain job/job-1 -n team-1 --no-suggest --snapshot tests/data/reports/30-guaranteed-gpu-but-borrowed-cpu.yaml
