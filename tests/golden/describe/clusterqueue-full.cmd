kubectl kueue describe cq nlp --full --snapshot tests/golden/data/team-queues.yaml
