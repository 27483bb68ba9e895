kubectl kueue explain reason
