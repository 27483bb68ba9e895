"""The columns of `get KIND`: those of kubectl first, in its order, so that scripts go on working."""
