kubectl kueue get clusterqueue nlp -o yaml --snapshot tests/golden/data/team-queues.yaml
