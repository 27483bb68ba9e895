kubectl kueue convert job/train --snapshot examples/snapshot.json -n team-a
