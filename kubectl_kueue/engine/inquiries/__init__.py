"""Questions about what is not a workload: a queue, a cohort, a flavor, a job without a Workload, a past."""
