kubectl kueue pending -A -o custom-columns=WORKLOAD:.workload,PLACE:.position.inClusterQueue,VERDICT:.verdict --snapshot tests/golden/data/lines.json
