kubectl kueue version -o name
