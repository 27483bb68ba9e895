kubectl kueue explain rayjob tune -n ml --snapshot tests/data/reports/88-integration-not-enabled.yaml -o json
