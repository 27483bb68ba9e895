kubectl kueue convert job/tune --snapshot tests/golden/data/job.yaml
