kubectl kueue get wl job-off -A --snapshot tests/golden/data/team-queues.yaml
