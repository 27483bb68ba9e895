kubectl kueue create rf my-rf --node-taints key1 --dry-run=client
