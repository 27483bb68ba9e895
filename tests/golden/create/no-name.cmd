kubectl kueue create cq
