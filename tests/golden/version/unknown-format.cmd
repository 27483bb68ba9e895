kubectl kueue version -o bogus
