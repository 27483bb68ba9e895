"""Choosing domains and sharing pods out among them (topology.md 4).

`Search` holds the counts of one placement; `find_domains` chooses where to start and `descend` goes
down to the leaves. BestFit takes the largest domains first and swaps the last one for the tightest
that can finish; LeastFree, for unconstrained requests, takes the smallest first.
"""

from collections.abc import Mapping, Sequence

import msgspec

from kubectl_kueue.engine.topology.counting import LevelCounts
from kubectl_kueue.engine.topology.request import Shape
from kubectl_kueue.engine.topology.tree import TopologyTree

Numbers = Sequence[int] | Mapping[int, int]  # domain -> pods or slices


class Share(msgspec.Struct, frozen=True):
    """What one domain gets."""

    domain: int
    pods: int
    leaders: int


class Start(msgspec.Struct, frozen=True):
    """Domains of one level that hold everything together."""

    level: int
    domains: list[int]


class Shortage(msgspec.Struct, frozen=True):
    """Nothing suffices; `fit` pods or slices were found at the last level looked at."""

    level: int
    fit: int


class Search:
    """One placement: the counts of the tree, and how many pods and leaders look for a place."""

    __slots__ = ("best_fit", "count", "leaders", "levels", "shape", "tree")

    def __init__(
        self, tree: TopologyTree, shape: Shape, levels: list[LevelCounts], count: int, leaders: int
    ) -> None:
        self.tree = tree
        self.shape = shape
        self.levels = levels
        self.count = count
        self.leaders = leaders
        self.best_fit = not (shape.unconstrained and tree.gates["TASProfileMixed"])

    # --- order ------------------------------------------------------------------------------------

    def ordered(self, level: int, domains: Sequence[int]) -> list[int]:
        """By slices, then pods ascending, then level values (preferred nodes before all)."""
        counts = self.levels[level]
        return self._sorted(domains, counts.slices, counts.pods, counts.scores)

    def ordered_for_leader(self, level: int, domains: Sequence[int]) -> list[int]:
        """Where a leader fits first; then by slices beside it, pods ascending, level values."""
        counts = self.levels[level]
        if not self.leaders:
            return self.ordered(level, domains)
        found = self._sorted(domains, counts.slices_led, counts.pods_led, counts.scores)
        found.sort(key=counts.leaders.__getitem__, reverse=True)
        return found

    def _sorted(
        self, domains: Sequence[int], slices: list[int], pods: list[int], scores: list[int] | None
    ) -> list[int]:
        found = sorted(domains)
        if slices is not pods:
            found.sort(key=pods.__getitem__)
        found.sort(key=slices.__getitem__, reverse=self.best_fit)
        if scores is not None:
            found.sort(key=scores.__getitem__, reverse=True)
        return found

    # --- choice -----------------------------------------------------------------------------------

    def tightest(self, level: int, domains: Sequence[int], need: int, leaders: int, numbers: Numbers) -> int:
        """The first domain with the smallest sufficient number; the first of all if none suffices."""
        counts = self.levels[level]
        best = domains[0]
        least: int | None = None
        for domain in domains:
            if counts.scores is not None and counts.scores[domain] != counts.scores[domains[0]]:
                break
            number = numbers[domain]
            if number >= need and (least is None or number < least) and counts.leaders[domain] >= leaders:
                best, least = domain, number
        return best

    def leader_first(
        self, level: int, domains: list[int], need: int, leaders: int, plain: Numbers, led: Numbers
    ) -> list[int]:
        """Move to the front the first domain whose leader costs no more than can be spared."""
        if leaders == 0 or len(domains) < 2:
            return domains
        total = sum(plain[d] for d in domains)
        for i, domain in enumerate(domains):
            if self.levels[level].leaders[domain] >= leaders and total - plain[domain] + led[domain] >= need:
                return [domain, *domains[:i], *domains[i + 1 :]]
        return domains

    def share_out(
        self, level: int, domains: list[int], share: Share, unit: int, plain: Numbers, led: Numbers
    ) -> list[Share]:
        """Give the pods of a share to domains in order, `unit` pods for each of their numbers.

        Ends with nothing, which is no failure, if the numbers do not suffice.
        """
        fits_leaders = self.levels[level].leaders
        need, leaders = share.pods // unit, share.leaders
        domains = self.leader_first(level, domains, need, leaders, plain, led)
        shares: list[Share] = []
        for i, domain in enumerate(domains):
            numbers = led if leaders > 0 else plain
            number = numbers[domain]
            sufficient = number >= need and (leaders <= 0 or fits_leaders[domain] >= leaders)
            if sufficient and self.best_fit:
                domain = self.tightest(level, domains[i:], need, max(leaders, 0), numbers)
            if sufficient:
                shares.append(Share(domain, need * unit, max(leaders, 0)))
                return shares
            number = min(number, need)
            here = min(fits_leaders[domain], leaders) if leaders > 0 else 0
            shares.append(Share(domain, number * unit, here))
            leaders -= here
            need -= number
        return []


def find_domains(search: Search, level: int) -> Start | Shortage:
    """The domains to start from: one at the level or above, or several together (4.1)."""
    counts = search.levels[level]
    need = search.count // search.shape.slice_size
    domains = search.ordered_for_leader(level, range(len(counts.pods)))
    single = _single_domain(search, level, domains, need)
    if single is not None:
        return Start(level, [single])
    if search.shape.required:
        return Shortage(level, counts.slices[domains[0]])
    if level > 0 and not search.shape.unconstrained:
        return find_domains(search, level - 1)
    return _several_domains(search, level, domains, need)


def _single_domain(search: Search, level: int, domains: list[int], need: int) -> int | None:
    """One domain that holds everything, if there is one."""
    counts = search.levels[level]
    leaders = search.leaders
    sufficient = [
        i for i, d in enumerate(domains) if counts.slices_led[d] >= need and counts.leaders[d] >= leaders
    ]
    if not sufficient:
        return None
    first = sufficient[0]
    if not search.best_fit:
        return domains[first]
    # In the order without scores the first domain suffices if any does. With scores only a required
    # request looks further.
    if first > 0 and not search.shape.required:
        return None
    return search.tightest(level, domains[first:], need, leaders, counts.slices_led)


def _several_domains(search: Search, level: int, domains: list[int], need: int) -> Start | Shortage:
    counts = search.levels[level]
    left, leaders = need, search.leaders
    domains = search.leader_first(level, domains, need, leaders, counts.slices, counts.slices_led)
    chosen: list[int] = []
    i = 0
    while leaders > 0 and i < len(domains) and counts.leaders[domains[i]] > 0:
        domain = domains[i]
        if search.best_fit and counts.slices_led[domain] >= left:
            domain = search.tightest(level, domains[i:], left, leaders, counts.slices_led)
        chosen.append(domain)
        leaders -= counts.leaders[domain]
        left -= counts.slices_led[domain]
        i += 1
    if leaders > 0:
        return Shortage(level, 0)
    domains = search.ordered(level, domains[i:])
    for i, domain in enumerate(domains):
        if left <= 0:
            break
        if search.best_fit and counts.slices[domain] >= left:
            domain = search.tightest(level, domains[i:], left, 0, counts.slices)
        chosen.append(domain)
        left -= counts.slices[domain]
    if left > 0:
        return Shortage(level, need - left)
    return Start(level, chosen)


def share_start(search: Search, start: Start) -> list[Share]:
    """Shares of the domains that the search starts from."""
    counts = search.levels[start.level]
    everything = Share(-1, search.count, search.leaders)
    return search.share_out(
        start.level, start.domains, everything, search.shape.slice_size, counts.slices, counts.slices_led
    )


def descend(search: Search, level: int, shares: list[Share]) -> list[Share]:
    """From shares of one level to shares of leaves (4.2).

    Down to the slice level the children of all chosen domains compete for everything together (trap
    T1); below it each domain keeps what it got.
    """
    shape, tree = search.shape, search.tree
    while level < min(shape.slice_level, tree.lowest):
        children = [c for s in shares for c in range(*tree.children[level][s.domain])]
        level += 1
        shares = share_start(search, Start(level, search.ordered(level, children)))
    while level < tree.lowest:
        shares = [
            below for share in shares for below in split(search, level, share, shape.inner.get(level + 1, 1))
        ]
        level += 1
    return shares


def split(search: Search, level: int, share: Share, unit: int) -> list[Share]:
    """The share of one domain among its children, in units of so many pods."""
    counts = search.levels[level + 1]
    children = search.ordered(level + 1, range(*search.tree.children[level][share.domain]))
    plain: Numbers = counts.pods
    led: Numbers = counts.pods_led
    if unit > 1:
        plain = {c: counts.pods[c] // unit for c in children}
        led = {c: counts.pods_led[c] // unit for c in children}
    return search.share_out(level + 1, children, share, unit, plain, led)
