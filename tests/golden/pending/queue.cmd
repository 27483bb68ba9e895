kubectl kueue pending clusterqueue vision --snapshot tests/golden/data/lines.json
