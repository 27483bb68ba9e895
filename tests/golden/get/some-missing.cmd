kubectl kueue get cq nope nlp neither --snapshot tests/golden/data/team-queues.yaml
