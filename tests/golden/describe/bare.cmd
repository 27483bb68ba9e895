kubectl kueue describe
