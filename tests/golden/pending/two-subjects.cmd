kubectl kueue pending cq vision --cohort research --snapshot tests/golden/data/lines.json
