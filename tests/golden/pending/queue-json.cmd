kubectl kueue pending cq/nlp -o json --snapshot tests/golden/data/lines.json
