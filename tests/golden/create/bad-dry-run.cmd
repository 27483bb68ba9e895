kubectl kueue create cq my-cq --dry-run=bogus
