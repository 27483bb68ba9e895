"""Answers to a shell's TAB. Nothing here may import more than a shell's user has the patience for.

A static answer takes words.py, a table that generate.py makes of the commands, and nothing else: no typer, no
typing. Names of objects come from the disk (cache.py) or, once in a while, from the cluster (names.py).
"""
