kubectl kueue create rf my-rf --tolerations a:Bogus --dry-run=client
