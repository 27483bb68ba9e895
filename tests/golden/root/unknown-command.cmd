kubectl kueue frobnicate
