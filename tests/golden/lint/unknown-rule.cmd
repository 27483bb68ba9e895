kubectl kueue lint -f tests/golden/lint/manifests --disable cohort-limits
