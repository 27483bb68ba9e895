kubectl kueue explain workload pytorchjob-ddp-607c9 --snapshot tests/data/reports/33-greedy-flavor-order-blocks-second-podset.yaml
