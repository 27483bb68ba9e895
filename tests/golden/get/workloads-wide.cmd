kubectl kueue get wl -n nlp -o wide --snapshot tests/golden/data/team-queues.yaml
