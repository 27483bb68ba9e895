"""What all tables of `list` have in common: NAMESPACE first if there are several, wide columns last."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from kubectl_kueue.model.slim import Anything
from kubectl_kueue.views.durations import age
from kubectl_kueue.views.page import Column, Listing

Cell = str | int | None
Row = Sequence[Cell]


class Frame(NamedTuple):
    """Columns of a kind between NAME and AGE, those of -o wide behind it, and the cells of an object."""

    columns: Sequence[str]
    wide: Sequence[str]
    cells: Callable[..., Sequence[Cell]]
    """Called with the object (a slim struct); gives a cell for each of `columns`, then of `wide`."""


def object_row(frame: Frame, item: Anything, now: int) -> Row:
    """NAMESPACE, NAME, the cells, AGE, the wide cells."""
    meta = item.metadata
    cells = frame.cells(item)
    split = len(frame.columns)
    return (meta.namespace, meta.name, *cells[:split], age(meta.creation_timestamp, now), *cells[split:])


def object_listing(frame: Frame, rows: Iterable[Row], *, namespaces: bool) -> Listing:
    """The table of these rows; NAMESPACE is shown with `namespaces` only."""
    columns = [Column(name) for name in ("NAME", *frame.columns, "AGE")]
    columns += [Column(name, wide=True) for name in frame.wide]
    if namespaces:
        return Listing([Column("NAMESPACE"), *columns], list(rows))
    return Listing(columns, [row[1:] for row in rows])
