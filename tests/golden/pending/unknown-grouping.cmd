kubectl kueue pending --group-by colour --snapshot tests/golden/data/lines.json
