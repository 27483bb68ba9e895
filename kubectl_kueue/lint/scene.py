"""All objects that a rule may look at: those under lint, and those of a cluster or snapshot around them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kubectl_kueue.lint.found import Severity
from kubectl_kueue.lint.items import Item, parent
from kubectl_kueue.lint.population import Population
from kubectl_kueue.lint.schema.kinds import GROUP
from kubectl_kueue.lint.values import mapping
from kubectl_kueue.model.trees import Trees

_GROUPS: Mapping[str, str] = {
    "Namespace": "",
    "Node": "",
    "LimitRange": "",
    "PriorityClass": "scheduling.k8s.io",
    "RuntimeClass": "node.k8s.io",
}


class Scene:
    """`own` are under lint and stand over `around` where both hold an object.

    With `whole` an object that is not here does not exist, except of the kinds in `unread`; without it, it
    may be somewhere else. `settings` is Kueue's Configuration, None if unknown.
    """

    def __init__(
        self,
        own: Sequence[Item],
        around: Iterable[Item] = (),
        *,
        whole: bool = False,
        unread: Iterable[str] = (),
        settings: Mapping[str, Any] | None = None,
    ) -> None:
        self.own = own
        self.whole = whole
        self.unread = frozenset(unread)
        self.settings = settings
        self.memo: dict[str, Any] = {}  # what a rule has worked out once for all objects
        self.trees = Trees(self._above)
        self._own = frozenset(own)
        self._members: dict[str, list[Item]] | None = None
        self._populations: dict[str, Population] = {}
        self._stored: dict[tuple[str, str, str, str], Item] = {}
        self._kinds: dict[tuple[str, str], dict[tuple[str, str], Item]] = {}
        for item in around:
            self._stored[item.key] = item
            self._enter(item)
        for item in own:
            self._enter(item)

    def _enter(self, item: Item) -> None:
        self._kinds.setdefault((item.group, item.kind), {})[item.namespace, item.name] = item

    def all(self, kind: str) -> Iterable[Item]:
        """Every object of a kind of Kueue, or of a kind of Kubernetes that rules ask for."""
        return self._kinds.get((_GROUPS.get(kind, GROUP), kind), {}).values()

    def within(self, kind: str, namespace: str) -> Sequence[Item]:
        """The objects of a kind in a namespace."""
        known: dict[tuple[str, str], list[Item]] | None = self.memo.get(kind)
        if known is None:
            known = self.memo[kind] = {}
            for item in self.all(kind):
                known.setdefault((kind, item.namespace), []).append(item)
        return known.get((kind, namespace), ())

    def namesakes(self, kind: str, name: str) -> Sequence[Item]:
        """The objects of a kind with this name, in any namespace."""
        known: dict[str, list[Item]] | None = self.memo.get(f"{kind} by name")
        if known is None:
            known = self.memo[f"{kind} by name"] = {}
            for item in self.all(kind):
                known.setdefault(item.name, []).append(item)
        return known.get(name, ())

    def first_names(self, kind: str, namespace: str) -> Sequence[str]:
        """The first five names of a kind in a namespace."""
        known: dict[str, Sequence[str]] = self.memo.setdefault(f"first names of {kind}", {})
        if namespace not in known:
            known[namespace] = sorted(item.name for item in self.within(kind, namespace))[:5]
        return known[namespace]

    def population(self, kind: str) -> Population:
        """All objects of a kind, to be asked for by their labels."""
        if kind not in self._populations:
            self._populations[kind] = Population(self.all(kind))
        return self._populations[kind]

    def everything(self) -> Iterator[Item]:
        """Every object there is."""
        for items in self._kinds.values():
            yield from items.values()

    def find(self, kind: str, name: str, namespace: str = "") -> Item | None:
        """The object of this name."""
        return self._kinds.get((_GROUPS.get(kind, GROUP), kind), {}).get((namespace, name))

    def is_own(self, item: Item) -> bool:
        """Whether this object is under lint itself."""
        return item in self._own

    def _above(self, cohort: str) -> str:
        item = self.find("Cohort", cohort)
        return parent(item) if item is not None else ""

    def stored(self, item: Item) -> Item | None:
        """The object that an apply of this one would change."""
        return self._stored.get(item.key)

    def members(self, cohort: str) -> Sequence[Item]:
        """The ClusterQueues and Cohorts directly under a cohort."""
        if self._members is None:
            self._members = {}
            for kind in ("ClusterQueue", "Cohort"):
                for item in self.all(kind):
                    self._members.setdefault(parent(item), []).append(item)
        return self._members.get(cohort, [])

    def absence(self, kind: str) -> Severity:
        """How bad it is that an object of this kind is not here: it may be elsewhere."""
        if kind in self.unread:
            return "info"
        return "warning" if self.whole or next(iter(self.all(kind)), None) is not None else "info"

    def place(self, severity: Severity) -> str:
        """Where an absent object is not: "cluster", or only in the "files" under lint."""
        return "cluster" if self.whole and severity != "info" else "files"

    def knows_all(self, kind: str) -> bool:
        """Whether no more objects of the kind can be somewhere else."""
        return self.whole and kind not in self.unread

    @property
    def fair_sharing(self) -> bool | None:
        """Whether fair sharing is on; None if the Configuration is not known."""
        if self.settings is None:
            return None
        section = self.settings.get("fairSharing")
        return isinstance(section, dict) and section.get("enable", True) is not False

    @property
    def resources(self) -> dict[str, Any]:
        """The section `resources` of the Configuration."""
        return mapping(dict(self.settings or {}), "resources")
