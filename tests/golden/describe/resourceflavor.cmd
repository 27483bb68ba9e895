kubectl kueue describe rf on-demand --snapshot tests/golden/data/team-queues.yaml
