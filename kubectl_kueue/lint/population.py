"""Which of many labelled objects does a selector want? Asked by label, not one object after the other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from kubectl_kueue.lint.items import Item
from kubectl_kueue.lint.values import elements, mapping, sequence, word

NAME = "kubernetes.io/metadata.name"


class Population:
    """Objects with their labels; the name of a namespace is one of its labels, too."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.items = list(items)
        self.labels = [_labels(item) for item in self.items]
        self._having: dict[tuple[str, str], list[int]] = {}
        for index, labels in enumerate(self.labels):
            for key, value in labels.items():
                if isinstance(value, str):
                    self._having.setdefault((key, value), []).append(index)

    def with_labels(self, wanted: Mapping[str, Any]) -> Iterator[int]:
        """The places of those that have all of these labels."""
        for index in self._rarest([[pair] for pair in wanted.items()]):
            labels = self.labels[index]
            if all(labels.get(key) == value for key, value in wanted.items()):
                yield index

    def candidates(self, selector: Mapping[str, Any]) -> Iterable[int]:
        """The places of those that a label selector may want, rarely more than it does."""
        terms: list[list[tuple[str, Any]]] = [[pair] for pair in mapping(selector, "matchLabels").items()]
        for _, each in elements(selector, "matchExpressions"):
            if word(each, "operator") == "In":
                terms.append([(word(each, "key"), value) for value in sequence(each, "values")])
        return self._rarest(terms)

    def _rarest(self, terms: Sequence[Sequence[tuple[str, Any]]]) -> Iterable[int]:
        """The places of those that meet the one of these terms that fewest meet."""
        known = [term for term in terms if all(isinstance(value, str) for _, value in term)]
        found = [[index for pair in term for index in self._having.get(pair, ())] for term in known]
        return min(found, key=len, default=range(len(self.items)))


def _labels(item: Item) -> dict[str, Any]:
    labels = mapping(item.value, "metadata", "labels")
    return {NAME: item.name, **labels} if item.kind == "Namespace" else labels
