kubectl kueue explain resourceflavor a100 --snapshot examples/snapshot.json
