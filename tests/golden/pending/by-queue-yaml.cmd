kubectl kueue pending -A --group-by queue -o yaml --snapshot tests/golden/data/lines.json
