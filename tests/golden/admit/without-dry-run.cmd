kubectl kueue admit job-1
