kubectl kueue get pods -n nlp --snapshot tests/golden/data/team-queues.yaml
