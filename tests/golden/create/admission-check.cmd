kubectl kueue create ac prov --controller-name kueue.x-k8s.io/provisioning-request --parameters kueue.x-k8s.io/ProvisioningRequestConfig/prov --dry-run=client -o yaml
