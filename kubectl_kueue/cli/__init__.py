"""Typer only: declare options, call, emit. One file a command; app.py maps words to them."""
