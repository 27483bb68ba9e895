"""A remedy: one change that a person could make, as data; `sets` are what `--set` takes to try it again."""

from collections.abc import Iterable

import msgspec

from kubectl_kueue.engine.explanation.facts import Facts, Holding
from kubectl_kueue.model.change import Change
from kubectl_kueue.model.quantity import format_request


class Remedy(Facts, frozen=True):
    """One change. `code` says which; the other fields are what it is about, those that apply.

    raise-quota, raise-borrowing-limit, raise-lending-limit (`queue`, `amounts` added), move-quota (`amounts`,
    from `source`), join-cohort (`value`), policy (`queue`, `field`, `value`), priority (`number`, `value` the
    WorkloadPriorityClass that gives it), fewer-pods (`pod_set`, `number`), tolerate (`pod_set`, `value` the
    taint), drop-selector, change-selector (`pod_set`, `field` the label, `value`), flavor-first (`queue`,
    `value`), end, delete, leave (`workloads`), resume (`queue`), reactivate, exclude-resource (`value`).
    """

    code: str
    queue: str = ""
    queue_kind: str = ""
    source: str = ""
    amounts: tuple[Holding, ...] = ()
    field: str = ""
    value: str = ""
    number: int = 0
    pod_set: str = ""
    workloads: tuple[str, ...] = ()


class Trial(msgspec.Struct, frozen=True):
    """A remedy and what it does to the world: `changes` are made, workloads of `ends` are gone."""

    remedies: tuple[Remedy, ...]
    changes: tuple[Change, ...] = ()
    ends: tuple[str, ...] = ()

    @property
    def sets(self) -> tuple[str, ...]:
        """The changes as `--set` takes them."""
        return tuple(change.text for change in self.changes)

    def __add__(self, other: "Trial") -> "Trial":
        return Trial(self.remedies + other.remedies, self.changes + other.changes, self.ends + other.ends)


def setting(kind: str, name: str, path: str, value: object, *, adds: bool = False) -> Change:
    """A change with its text."""
    shown = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    sign = "+=" if adds else "="
    subject = f"{kind.lower()}/{name}" if name else kind.lower()
    return Change(kind, name, path, value, adds, f"{subject}:{path}{sign}{shown}")


def quota_added(kind: str, name: str, field: str, amounts: Iterable[Holding]) -> tuple[Change, ...]:
    """Changes that add the amounts to a quota or a limit."""
    return tuple(
        setting(kind, name, f"{field}.{a.resource}.{a.flavor}", _text(a.resource, a.amount), adds=True)
        for a in amounts
    )


def _text(resource: str, amount: int) -> str:
    return f"-{format_request(resource, -amount)}" if amount < 0 else format_request(resource, amount)
