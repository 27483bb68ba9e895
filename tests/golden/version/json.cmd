kubectl kueue version -o json
