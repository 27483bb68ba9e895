kubectl kueue explain reason onhold -o json
