kubectl kueue tree cohort/research --resource nvidia.com/gpu --flavor a100 --snapshot examples/snapshot.json -o dot
