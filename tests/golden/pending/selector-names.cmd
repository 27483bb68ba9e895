kubectl kueue pending -l team=vision -o name --snapshot tests/golden/data/lines.json
