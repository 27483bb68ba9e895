kubectl kueue tree research --resource nvidia.com/gpu --no-localqueues --snapshot examples/snapshot.json -o json
