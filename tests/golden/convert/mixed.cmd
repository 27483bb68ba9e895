kubectl kueue convert -f tests/golden/data/serving.yaml -o table
