kubectl kueue create cq my-cq --nominal-quota alpha:cpu --dry-run=client
