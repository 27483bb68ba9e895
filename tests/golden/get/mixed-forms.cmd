kubectl kueue get cq/nlp vision --snapshot tests/golden/data/team-queues.yaml
