kubectl kueue get cq nope nlp --ignore-not-found --snapshot tests/golden/data/team-queues.yaml
