kubectl kueue pending -A --group-by flavor --snapshot tests/golden/data/lines.json
