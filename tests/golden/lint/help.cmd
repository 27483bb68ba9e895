kubectl kueue lint --help
