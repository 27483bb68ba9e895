kubectl kueue get lq -A --no-headers -o custom-columns=NAME:.metadata.name,CQ:.spec.clusterQueue --snapshot tests/golden/data/team-queues.yaml
