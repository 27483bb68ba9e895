kubectl kueue create widget x
