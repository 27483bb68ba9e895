kubectl kueue describe lq main -n nlp --snapshot tests/golden/data/team-queues.yaml
