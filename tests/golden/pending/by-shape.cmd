kubectl kueue pending -A --group-by shape --snapshot tests/golden/data/lines.json
