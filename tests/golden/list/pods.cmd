kubectl kueue list pods --for job/train -n team-a --snapshot tests/golden/data/lists.yaml
