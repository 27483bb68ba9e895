kubectl kueue doctor --checks
