kubectl kueue create rf my-rf --dry-run=client -o yaml
