kubectl kueue create wpc urgent --value 1000 --description 'before all others' --dry-run=client -o yaml
