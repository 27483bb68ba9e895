"""The sentences: engine facts in, English out. No other place makes words of a reason or a gate."""
