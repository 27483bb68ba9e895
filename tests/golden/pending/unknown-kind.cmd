kubectl kueue pending nodes --snapshot tests/golden/data/lines.json
