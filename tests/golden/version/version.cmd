kubectl kueue version
