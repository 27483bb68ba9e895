kubectl kueue get cq -l team=nlp,tier!=silver --snapshot tests/golden/data/team-queues.yaml
