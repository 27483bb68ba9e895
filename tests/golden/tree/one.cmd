kubectl kueue tree team-b-cq --resource nvidia.com/gpu --snapshot examples/snapshot.json
