kubectl kueue -o yaml version
