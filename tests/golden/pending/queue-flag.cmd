kubectl kueue pending -c vision --snapshot tests/golden/data/lines.json
