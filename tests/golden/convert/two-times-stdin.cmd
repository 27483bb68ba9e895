kubectl kueue convert -f - --snapshot -
