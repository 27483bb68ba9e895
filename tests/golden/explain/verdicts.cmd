kubectl kueue explain verdict
