"""What would let a workload in? Changes of one thing at a time, each tried on a copy of the cluster."""
