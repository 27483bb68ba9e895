kubectl kueue admit --help
