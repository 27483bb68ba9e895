"""Spreading pods evenly over as few domains as needed (topology.md 10, gate TASBalancedPlacement).

Every candidate set of sibling domains is tried with the largest number of slices that each used
domain could get at least; domains that cannot are cut off. The best set is then shared out.
Everything happens on copies: if no set works, the caller goes on with the usual search.
"""

from collections.abc import Sequence
from math import log2

import msgspec

from kubectl_kueue.engine.topology.counting import in_slices, sum_pods, sum_slices
from kubectl_kueue.engine.topology.search import Search, Share, Start, share_start, split

State = tuple[int, int, int]  # domains used, leaders left, pods left


class Greedy(msgspec.Struct, frozen=True):
    """How many domains the largest-first choice takes, the leader's one and the last of the others."""

    used: int
    with_leader: int | None
    last: int | None


class Candidate(msgspec.Struct, frozen=True):
    """A set of sibling domains, cut for `threshold` slices per used domain; it needs `used` of the set."""

    search: Search
    domains: range
    threshold: int
    used: int


def place_balanced(search: Search) -> list[Share] | None:
    """Shares of leaves, or None if no candidate set can be balanced."""
    if search.count < search.shape.slice_size:
        return None
    best = _best_candidate(search)
    if best is None:
        return None
    start = _even_shares(best)
    if start is None:
        return None
    return _descend_per_parent(best.search, start.level, share_start(best.search, start))


def _best_candidate(search: Search) -> Candidate | None:
    best: Candidate | None = None
    for domains in _candidate_sets(search):
        found = _try_set(search, domains, best.threshold if best else 0)
        if found is None:
            continue
        if best is None or (found.threshold, -found.used) > (best.threshold, -best.used):
            best = found
    return best


def _candidate_sets(search: Search) -> list[range]:
    level = search.shape.level
    if level == 0:
        return [range(len(search.levels[0].pods))]
    return [range(*children) for children in search.tree.children[level - 1]]


def _try_set(search: Search, domains: range, least: int) -> Candidate | None:
    """The set cut for the largest threshold that works for it, if that is at least `least`."""
    low, members = _low(search, domains)
    found = _greedy(search, low, members)
    if found is None:
        return None
    counts = search.levels[low]
    bounds = [_slices(search) // found.used]
    if found.with_leader is not None:
        bounds.append(counts.slices_led[found.with_leader])
    if found.last is not None:
        bounds.append(counts.slices[found.last])
    threshold = lower = min(bounds)
    if search.leaders and found.last is not None:
        lower = min(threshold, counts.slices_led[found.last])
    for limit in (threshold, lower) if lower < threshold else (threshold,):
        if limit <= 0 or limit < least:
            return None
        twin = _pruned(search, domains, limit)
        again = _greedy(twin, search.shape.level, domains)
        if again is not None:
            return Candidate(twin, domains, limit, again.used)
    return None


def _slices(search: Search) -> int:
    return search.count // search.shape.slice_size


def _low(search: Search, domains: range) -> tuple[int, range]:
    """The level whose domains are counted for a set: its own, or the next if slices lie deeper."""
    level = search.shape.level
    if level >= search.shape.slice_level:
        return level, domains
    children = search.tree.children[level]
    return level + 1, range(children[domains.start][0], children[domains.stop - 1][1])


def _greedy(search: Search, level: int, domains: Sequence[int]) -> Greedy | None:
    """Largest first until everything fits; None if it does not."""
    counts = search.levels[level]
    left = _slices(search)
    used = 0
    with_leader = last = None
    if search.leaders:
        with_leader = search.ordered_for_leader(level, domains)[0] if domains else None
        if with_leader is None or counts.leaders[with_leader] == 0:
            return None
        used = 1
        left -= counts.slices_led[with_leader]
        domains = [d for d in domains if d != with_leader]
    for domain in search.ordered(level, domains):
        if left <= 0 or counts.slices[domain] <= 0:
            break
        used += 1
        left -= counts.slices[domain]
        last = domain
    return None if left > 0 else Greedy(used, with_leader, last)


def _pruned(search: Search, domains: range, threshold: int) -> Search:
    """A copy of the search without domains of the set, and children of them, below the threshold."""
    tree, level = search.tree, search.shape.level
    twin = Search(
        tree, search.shape, [counts.copy() for counts in search.levels], search.count, search.leaders
    )
    if level < tree.lowest:
        first, last = tree.children[level][domains.start][0], tree.children[level][domains.stop - 1][1]
        for child in range(first, last):
            _cut(twin, level + 1, child, threshold)
    _recount(twin, domains)
    for domain in domains:
        _cut(twin, level, domain, threshold)
    return twin


def _cut(search: Search, level: int, domain: int, threshold: int) -> None:
    counts = search.levels[level]
    if counts.slices[domain] < threshold:
        names = ["pods", "pods_led", "slices", "slices_led", "leaders"]
    elif search.leaders and counts.leaders[domain] > 0 and counts.slices_led[domain] < threshold:
        names = ["pods_led", "slices_led", "leaders"]
    else:
        return
    first, last = domain, domain + 1
    for depth in range(level, search.tree.lowest + 1):
        if depth > level:
            children = search.tree.children[depth - 1]
            first, last = children[first][0], children[last - 1][1]
        for name in names:
            getattr(search.levels[depth], name)[first:last] = [0] * (last - first)


def _recount(search: Search, domains: range) -> None:
    """Sum up the subtrees of the set again from their leaves, without rounding to inner slices."""
    tree, shape, levels, leader = search.tree, search.shape, search.levels, search.leaders > 0
    windows = [domains]
    for children in tree.children[shape.level :]:
        above = windows[-1]
        windows.append(range(children[above.start][0], children[above.stop - 1][1]))
    for level in range(tree.lowest, shape.level - 1, -1):
        counts, window = levels[level], windows[level - shape.level]
        here = slice(window.start, window.stop)
        if level < tree.lowest:
            parents = tree.children[level][here]
            counts.pods[here], counts.pods_led[here], counts.leaders[here] = sum_pods(
                parents, levels[level + 1], None, leader
            )
        if level == shape.slice_level:
            counts.slices[here] = in_slices(counts.pods[here], shape.slice_size)
            counts.slices_led[here] = in_slices(counts.pods_led[here], shape.slice_size)
        elif level < shape.slice_level:
            counts.slices[here], counts.slices_led[here] = sum_slices(parents, levels[level + 1], leader)


def _even_shares(best: Candidate) -> Start | None:
    """The domains to use, their numbers set to what each shall get; None if it does not come out even."""
    search, level = best.search, best.search.shape.level
    pool: Sequence[int] = best.domains
    if level < search.shape.slice_level:
        chosen = _pick(search, level, _by_evenness(search, level, pool))
        if chosen is None:
            return None
        pool = [c for domain in sorted(chosen) for c in range(*search.tree.children[level][domain])]
        level += 1
    found = _pick(search, level, pool)
    if found is None:
        return None
    extra = _slices(search) - len(found) * best.threshold
    if extra < 0:
        return None
    domains = search.ordered_for_leader(level, found)
    if not _assign_evenly(search, level, domains, best.threshold, extra):
        return None
    return Start(level, domains)


def _by_evenness(search: Search, level: int, domains: Sequence[int]) -> list[int]:
    counts = search.levels[level]
    return sorted(
        domains,
        key=lambda d: (-counts.leaders[d], -counts.slices_led[d], -_entropy(search, level, d), d),
    )


def _entropy(search: Search, level: int, domain: int) -> float:
    """How evenly the pods of a domain lie over its children, in bits."""
    first, last = search.tree.children[level][domain]
    pods = [n for n in search.levels[level + 1].pods[first:last] if n > 0]
    total = sum(pods)
    return -sum(n / total * log2(n / total) for n in pods)


def _pick(search: Search, level: int, domains: Sequence[int]) -> list[int] | None:
    """As few domains as possible whose pods exceed the wanted number by as little as possible.

    Of equal choices the one made first is kept; the order of `domains` decides which that is.
    """
    needed = _greedy(search, level, domains)
    if needed is None:
        return None
    counts = search.levels[level]
    wanted = _slices(search) * search.shape.slice_size
    states: list[dict[tuple[int, int], tuple[int, ...]]] = [{} for _ in range(needed.used + 1)]
    states[0][search.leaders, wanted] = ()
    for domain in domains:
        for used in range(needed.used, 0, -1):
            for (leaders, pods), path in sorted(states[used - 1].items()):
                if leaders <= 0 and pods <= 0:
                    continue
                if leaders > 0 and counts.leaders[domain] > 0:
                    after = leaders - counts.leaders[domain], pods - counts.pods_led[domain]
                    if after not in states[used]:
                        states[used][after] = (*path, domain)
                if counts.slices[domain] > 0:
                    after = leaders, pods - counts.pods[domain]
                    if after not in states[used]:
                        states[used][after] = (*path, domain)
    ends = [(pods, path) for (leaders, pods), path in states[-1].items() if leaders == 0 and pods <= 0]
    return list(max(ends)[1]) if ends else None


def _assign_evenly(search: Search, level: int, domains: list[int], threshold: int, extra: int) -> bool:
    """Set the counts of the domains to the threshold, and what is left over to the first ones."""
    counts = search.levels[level]
    leaders = search.leaders
    for domain in domains:
        here = 1 if leaders > 0 else 0
        more = 0
        if here or extra > 0:
            numbers = counts.slices_led if here else counts.slices
            more = min(numbers[domain] - threshold, extra)
        counts.slices[domain] = counts.slices_led[domain] = threshold + more
        counts.pods[domain] = (threshold + more) * search.shape.slice_size
        counts.pods_led[domain] = counts.pods[domain] - here
        counts.leaders[domain] = here
        leaders -= here
        extra -= more
    return extra <= 0 and leaders <= 0


def _descend_per_parent(search: Search, level: int, shares: list[Share]) -> list[Share]:
    shape = search.shape
    while level < search.tree.lowest:
        unit = shape.slice_size if level < shape.slice_level else shape.inner.get(level + 1, 1)
        shares = [below for share in shares for below in split(search, level, share, unit)]
        level += 1
    return shares
