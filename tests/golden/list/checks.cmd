kubectl kueue list admissioncheck -o wide --snapshot tests/golden/data/lists.yaml
