kubectl kueue lint
