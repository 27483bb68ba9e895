kubectl kueue lint --rules
