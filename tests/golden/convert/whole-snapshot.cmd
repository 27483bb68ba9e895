kubectl kueue convert -f examples/snapshot.json
