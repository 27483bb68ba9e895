kubectl kueue top cohort org -o wide --snapshot tests/golden/data/lending.yaml
