kubectl kueue describe rf spot -o yaml --snapshot tests/golden/data/team-queues.yaml
