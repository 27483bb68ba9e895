kubectl kueue admit --dry-run --snapshot examples/snapshot.json --until-idle --timeline --durations 2h -o 'jsonpath={.timeline}'
