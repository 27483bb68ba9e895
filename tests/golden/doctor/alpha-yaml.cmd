kubectl kueue doctor --snapshot tests/data/reports/82-v1alpha1-cohort-and-topology.yaml --select installation/stored-versions -o yaml
