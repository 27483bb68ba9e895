kubectl kueue create topology racks --levels cloud/block,cloud/rack,kubernetes.io/hostname --dry-run=client -o yaml
