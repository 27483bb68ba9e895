kubectl kueue list cohort -o wide --snapshot tests/golden/data/lists.yaml
