kubectl kueue explain reason WaitingForQota
