kubectl kueue list workload --for job/train -n team-a --snapshot tests/golden/data/lists.yaml
