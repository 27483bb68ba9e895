kubectl kueue admit --dry-run --snapshot examples/snapshot.json --set clusterqueue/team-a-cq:nominalQuota.nvidia.com/gpu.a100+=2
