"""Looking into raw values that may be anything: what is not of the expected type counts as absent."""

from collections.abc import Iterator
from typing import Any

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.quantity import nanos


def dig(value: Any, *path: str | int) -> Any:
    """What stands at the path, or None."""
    for key in path:
        if isinstance(key, int):
            value = value[key] if isinstance(value, list) and key < len(value) else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value


def mapping(value: Any, *path: str | int) -> dict[str, Any]:
    """The mapping at the path; empty if there is none."""
    found = dig(value, *path)
    return found if isinstance(found, dict) else {}


def sequence(value: Any, *path: str | int) -> list[Any]:
    """The list at the path; empty if there is none."""
    found = dig(value, *path)
    return found if isinstance(found, list) else []


def word(value: Any, *path: str | int) -> str:
    """The text at the path; empty if there is none."""
    found = dig(value, *path)
    return found if isinstance(found, str) else ""


def number(value: Any, *path: str | int, default: int = 0) -> int:
    """The whole number at the path, or the default."""
    found = dig(value, *path)
    return found if isinstance(found, int) and not isinstance(found, bool) else default


def amount(value: Any) -> int | None:
    """A quantity in nano-units; None if it is none."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        return nanos(value)
    except InputError:
        return None


def elements(value: Any, *path: str | int) -> Iterator[tuple[int, dict[str, Any]]]:
    """The mappings in the list at the path, with their index."""
    for index, element in enumerate(sequence(value, *path)):
        if isinstance(element, dict):
            yield index, element
