"""What comes from outside, as bytes that a fuzzer makes up: the targets, the seeds, and what crashed once.

A target takes any bytes and returns; a KueueError is an answer, every other exception is a crash. Without
atheris the targets run over the seeds and the old crashes (test_targets.py); with it they look for new ones:

    python -m tests.fuzzing TARGET [SECONDS]
"""
