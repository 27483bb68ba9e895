kubectl kueue create cq my-cq --nominal-quota 'alpha:cpu=9' --dry-run=client -o json
