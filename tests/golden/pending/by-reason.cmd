kubectl kueue pending -A --group-by reason --snapshot tests/golden/data/lines.json
