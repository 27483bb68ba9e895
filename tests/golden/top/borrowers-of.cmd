kubectl kueue top cohort org --borrowers --snapshot tests/golden/data/lending.yaml -o yaml
