"""A kubectl plugin that says why Kueue workloads are pending, and what would let them in."""

__version__ = "0.1.0"

SIMULATED_KUEUE = "v0.19.2"
"""The Kueue release whose scheduler the engine reproduces."""
