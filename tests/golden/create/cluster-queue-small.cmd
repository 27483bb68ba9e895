kubectl kueue create clusterqueue my-cq --dry-run=client -o yaml
