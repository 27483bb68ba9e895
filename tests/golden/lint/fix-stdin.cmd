kubectl kueue lint -f - --fix
