kubectl kueue explain --help
