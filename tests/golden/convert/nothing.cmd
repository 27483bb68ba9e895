kubectl kueue convert
