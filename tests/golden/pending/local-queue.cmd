kubectl kueue pending localqueue shared -n team-b --snapshot tests/golden/data/lines.json
