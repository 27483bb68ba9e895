kubectl kueue pending cq vision --never --snapshot tests/golden/data/lines.json
