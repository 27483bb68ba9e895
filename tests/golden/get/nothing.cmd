kubectl kueue get wl -n nowhere --snapshot tests/golden/data/team-queues.yaml
