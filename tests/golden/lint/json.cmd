kubectl kueue lint -f tests/golden/lint/manifests/job.yaml -f tests/golden/lint/manifests/queues.yaml --select uncovered,never-fits,api-version-deprecated -o json
