kubectl kueue explain verdict NoWorkload
