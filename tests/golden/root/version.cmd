kubectl kueue --version
