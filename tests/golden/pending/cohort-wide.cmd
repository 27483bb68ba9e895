kubectl kueue pending --cohort research -o wide --snapshot tests/golden/data/lines.json
