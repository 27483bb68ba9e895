kubectl kueue pending --watch --snapshot tests/golden/data/lines.json
