kubectl kueue get wl -A -o jsonpath='{range .items[*]}{.metadata.name}{"\n"}{end}' --snapshot tests/golden/data/team-queues.yaml
