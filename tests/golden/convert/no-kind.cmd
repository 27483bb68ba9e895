kubectl kueue convert train --snapshot examples/snapshot.json
