"""The pages of `describe`, one subject a module, and kubectl's own form of an object (dump.py)."""
