"""The quota of a queue on a page: numbers, and a bar for each flavor and resource."""

from collections.abc import Iterator, Sequence

from kubectl_kueue.engine.explanation.queue import QueueLook
from kubectl_kueue.engine.quota import FlavorResource
from kubectl_kueue.views.describe.parts import section
from kubectl_kueue.views.page import Align, Bar, Bars, Block, Cell, Column, Span, Style, Table
from kubectl_kueue.views.usage import Use, use_words
from kubectl_kueue.views.words.numbers import quantity


def quota_block(
    uses: Sequence[Use], look: QueueLook | None, *, limits: bool = True, title: str = "Quota"
) -> Iterator[Block]:
    """One line and one bar for each; `limits`: whether there can be limits and something can be borrowed."""
    if not uses:
        return
    right: Align = "right"
    names = ["USED", "RESERVED", *(["BORROWED"] if limits else []), *(["AVAILABLE"] if look else [])]
    if limits:
        names = ["BORROWING LIMIT", "LENDING LIMIT", *names]
    columns = [Column("FLAVOR"), Column("RESOURCE"), *(Column(n, right) for n in ("NOMINAL", *names))]
    rows = [_row(use, look, limits=limits) for use in uses]
    yield from section(title, [Table(columns, rows, indent=2), Bars([_bar(u) for u in uses], indent=2)])


def _row(use: Use, look: QueueLook | None, *, limits: bool) -> list[Cell]:
    def shown(amount: int | None) -> str:
        return "-" if amount is None else quantity(use.resource, amount)

    row: list[Cell] = [use.flavor, use.resource, shown(use.nominal)]
    if limits:
        row += [shown(use.borrowing_limit), shown(use.lending_limit)]
    row += [shown(use.admitted), shown(use.used)]
    if limits:
        row.append(Span(shown(use.borrowed), "warn" if use.borrowed else ""))
    if look is not None:
        free = look.free.get(FlavorResource(use.flavor, use.resource), 0)
        row.append(Span(shown(free), "bad" if free <= 0 else ""))
    return row


def _bar(use: Use) -> Bar:
    nominal = use.nominal or 0
    style: Style = "bad" if use.used > nominal else "warn" if use.used == nominal else "good"
    own, _, rest = use_words(use).partition(" (")
    share = f", {100 * use.used // nominal}%" if nominal else ""
    caption = f"{own.partition(' ')[2]}{share}{f' ({rest}' if rest else ''}"
    return Bar(f"{use.flavor} {use.resource}", use.used, nominal, caption, style)
