kubectl kueue pending -A -o jsonpath='{range .items[*]}{.name} {.reason}{"\n"}{end}' --snapshot tests/golden/data/lines.json
