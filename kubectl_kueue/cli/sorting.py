"""--sort-by: objects in the order of one of their fields, as kubectl compares them."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kubectl_kueue.errors import ConfigError, InputError

if TYPE_CHECKING:
    from kubectl_kueue.views.columns.items import Item


def in_order(items: "Sequence[Item]", path: str) -> "list[Item]":
    """Objects without the field come first, then numbers, then texts; texts that are quantities as such.

    Raises ConfigError for a path that is wrong or that no object has.
    """
    from kubectl_kueue.output.custom_columns import parse_columns
    from kubectl_kueue.output.jsonpath import find

    (column,) = parse_columns(f"FIELD:{path}")
    found = [[value for part in find(column.path, item.value) for value in part] for item in items]
    if items and not any(found):
        raise ConfigError(f'couldn\'t find any field with path "{path}" in the list of objects')
    keys = [_key(values[0]) if values else _ABSENT for values in found]
    order = sorted(range(len(items)), key=keys.__getitem__)
    return [items[index] for index in order]


_Key = tuple[int, Any]
_ABSENT: _Key = (0, 0)


def _key(value: Any) -> _Key:
    if isinstance(value, bool):
        return 1, int(value)
    if isinstance(value, int | float):
        return 2, value
    if isinstance(value, str):
        return 3, _text_key(value)
    return 4, str(value)


def _text_key(text: str) -> tuple[Any, ...]:
    """Quantities by their size; in other texts runs of digits count as numbers: job-2 before job-10."""
    from kubectl_kueue.model.quantity import nanos

    try:
        return 0, nanos(text)
    except InputError:
        return 1, [_part_key(part) for part in re.split(r"([0-9]+)", text)]


def _part_key(part: str) -> tuple[int, str]:
    """The more digits, the larger a number: it may have more of them than Python makes an int of."""
    from kubectl_kueue.model.whole_number import is_digits

    if is_digits(part):
        number = part.lstrip("0")
        return len(number), number
    return -1, part
