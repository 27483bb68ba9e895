kubectl kueue explain lq gpu -n team-b --snapshot examples/snapshot.json -o yaml
