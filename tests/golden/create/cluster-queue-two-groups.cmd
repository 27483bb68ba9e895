kueuectl create cq my-cq --nominal-quota alpha:cpu=0.5,beta:memory=1Gi --dry-run=client -o yaml
