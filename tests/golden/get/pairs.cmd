kubectl kueue get cq/nlp rf/spot --snapshot tests/golden/data/team-queues.yaml
