kubectl kueue explain banana job-1
