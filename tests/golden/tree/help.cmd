kubectl kueue tree --help
