kubectl kueue convert -f tests/golden/data/job.yaml -o json
