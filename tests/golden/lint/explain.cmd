kubectl kueue lint --explain CQ06
