"""The one way out: every answer leaves through `emit`, in a format of the registry in formats.py."""
