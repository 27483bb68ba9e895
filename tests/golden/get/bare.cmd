kubectl kueue get
