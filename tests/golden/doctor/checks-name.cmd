kubectl kueue doctor --checks --select stuck -o name
