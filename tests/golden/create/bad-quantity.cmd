kubectl kueue create cq my-cq --nominal-quota alpha:cpu=x --dry-run=client
