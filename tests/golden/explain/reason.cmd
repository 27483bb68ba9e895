kubectl kueue explain reason WaitingForQuota
