kubectl kueue describe configmap settings -n nlp --snapshot tests/golden/data/team-queues.yaml
