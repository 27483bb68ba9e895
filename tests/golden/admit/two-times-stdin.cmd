kubectl kueue admit --dry-run --snapshot - -f -
