"""Which workloads would have to go so that another one fits? (preemption page 2.4, 3, 4)"""
