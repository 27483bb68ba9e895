kubectl kueue get wl -A --sort-by .spec.priority --no-headers --snapshot tests/golden/data/team-queues.yaml
