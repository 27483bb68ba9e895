"""JSON pointers (RFC 6901): the place of a field as one text, and back."""


def pointer(*path: str | int) -> str:
    """The JSON pointer of a path."""
    return "".join(f"/{escaped(str(key))}" for key in path)


def path_of(text: str) -> list[str]:
    """The words of a JSON pointer."""
    return [part.replace("~1", "/").replace("~0", "~") for part in text.split("/")[1:]]


def escaped(key: str) -> str:
    """A key as it stands between the slashes of a pointer."""
    return key.replace("~", "~0").replace("/", "~1")
