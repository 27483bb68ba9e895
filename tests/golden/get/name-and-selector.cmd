kubectl kueue get cq nlp -l team=nlp --snapshot tests/golden/data/team-queues.yaml
