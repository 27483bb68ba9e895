kubectl kueue describe clusterqueue nlp --snapshot tests/golden/data/team-queues.yaml
