kubectl kueue get wl -A --sort-by .spec.color --snapshot tests/golden/data/team-queues.yaml
