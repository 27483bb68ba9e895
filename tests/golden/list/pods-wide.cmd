kubectl kueue list po --for workload/job-train -o wide --snapshot tests/golden/data/lists.yaml
