kubectl kueue convert --help
