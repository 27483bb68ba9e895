kubectl kueue tree org --no-localqueues --snapshot tests/golden/data/lending.yaml
