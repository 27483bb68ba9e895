kubectl kueue convert -f tests/golden/data/small-job.yaml
