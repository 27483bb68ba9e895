"""Why is a workload not running? One question a module, in the order in which Kueue asks them."""
