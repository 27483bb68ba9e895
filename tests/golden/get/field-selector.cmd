kubectl kueue get wl -A --field-selector status.admission.clusterQueue=nlp --snapshot tests/golden/data/team-queues.yaml
