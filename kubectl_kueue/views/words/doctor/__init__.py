"""The sentences of `doctor`: one module a group of checks; sentences.py joins them."""
