kubectl kueue create cohort team --parent org --nominal-quota alpha:cpu=4 --dry-run=client -o yaml
