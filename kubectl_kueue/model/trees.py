"""Where does each cohort hang: under which root, or in which circle, and what is below it?"""

from collections.abc import Callable, Iterable, Iterator, Mapping

Above = Callable[[str], str]
"""The name of the cohort above a cohort; empty if there is none."""


class Trees:
    """The cohorts of a scene by their parents. Every cohort is walked through once, and a chain of thousands
    is no deeper than one."""

    def __init__(self, above: Above) -> None:
        self._above = above
        self._roots: dict[str, str] = {}
        self._entries: dict[str, str] = {}

    def root(self, name: str) -> str | None:
        """The cohort at the top of the tree; None if there is a circle instead."""
        self._settle(name)
        return self._roots.get(name)

    def circle(self, name: str) -> Iterator[str] | None:
        """The names of the circle above a cohort, from where it is entered and back to there; or None."""
        self._settle(name)
        entry = self._entries.get(name)
        return self._around(entry) if entry is not None else None

    def circles(self, names: Iterable[str]) -> Iterator[list[str]]:
        """The members of every circle that some of these cohorts hang in, sorted."""
        told: set[str] = set()
        for name in names:
            self._settle(name)
            entry = self._entries.get(name, "")
            if entry and entry not in told:
                members = sorted(set(self._around(entry)))
                told.update(members)
                yield members

    def _around(self, entry: str) -> Iterator[str]:
        yield entry
        name = self._above(entry)
        while name != entry:
            yield name
            name = self._above(name)
        yield entry

    def _settle(self, name: str) -> None:
        path: dict[str, int] = {}
        while name and name not in self._roots and name not in self._entries and name not in path:
            path[name] = len(path)
            name = self._above(name)
        walked = list(path)
        if name in path:
            self._entries.update((each, each) for each in walked[path[name] :])
            walked = walked[: path[name]]
        if name in self._entries:
            self._entries.update(dict.fromkeys(walked, self._entries[name]))
        elif walked:
            self._roots.update(dict.fromkeys(walked, self._roots.get(name, walked[-1])))


def with_all_below(name: str, parents: Mapping[str, str]) -> set[str]:
    """A cohort and every cohort below it, by the name of the parent of each."""
    below: set[str] = set()
    found = {name}
    while found:
        below |= found
        found = {child for child, parent in parents.items() if parent in found} - below
    return below
