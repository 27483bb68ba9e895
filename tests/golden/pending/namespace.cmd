kubectl kueue pending -n team-a --snapshot tests/golden/data/lines.json
