kubectl kueue pending cq visio --snapshot tests/golden/data/lines.json
