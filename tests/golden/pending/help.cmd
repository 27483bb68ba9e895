kubectl kueue pending --help
