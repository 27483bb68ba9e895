kubectl kueue create cq my-cq --dry-run=client
