kubectl kueue pending -A --snapshot tests/golden/data/lines.json
