kubectl kueue
