kubectl kueue pending -A --never --snapshot tests/golden/data/lines.json
