kubectl kueue list workload --for job/nope -n team-a --snapshot tests/golden/data/lists.yaml
