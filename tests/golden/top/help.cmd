kubectl kueue top --help
