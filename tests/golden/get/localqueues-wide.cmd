kubectl kueue get lq -n nlp -o wide --snapshot tests/golden/data/team-queues.yaml
