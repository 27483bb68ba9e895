kubectl kueue admit --dry-run --cycles 2 --until-idle
