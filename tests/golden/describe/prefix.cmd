kubectl kueue describe rf sp --snapshot tests/golden/data/team-queues.yaml
