kubectl kueue pending --clusterqueue shared-cq --snapshot tests/data/reports/98-queue-positions-across-localqueues.yaml
