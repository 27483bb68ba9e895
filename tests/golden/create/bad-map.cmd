kubectl kueue create cq my-cq --namespace-selector team --dry-run=client
