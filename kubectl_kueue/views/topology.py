"""Topology trees for people: the domains that matter as a table, or all of them drawn with usage bars."""

from collections.abc import Iterable, Iterator, Sequence

from kubectl_kueue.engine.explanation.domains import Domain, Named, Occupant, Room, Tree
from kubectl_kueue.views.page import Bar, Bars, Block, Cell, Column, Heading, Span, Style, Table, Text
from kubectl_kueue.views.rest import rest_block
from kubectl_kueue.views.words.numbers import amount, count, joined, quantity, several
from kubectl_kueue.views.words.reasons import exclusions

MOST_ROWS = 8
"""Domains in the table of a page; the document has them all."""

MOST_DRAWN = 64
"""A tree with more leaves is drawn in part: of each domain the MOST_BRANCHES that matter most."""

MOST_BRANCHES = 4


def topology_blocks(trees: Sequence[Tree], misplaced: Iterable[str]) -> Iterator[Block]:
    """Why the podSets of these names find no place: the domains, most room first, and what is missing."""
    names = set(misplaced)
    for tree in trees:
        if tree.chosen and names & set(tree.pod_sets):
            yield from _table(tree, several_trees=len(trees) > 1)


def drawn_trees(trees: Sequence[Tree], above: Sequence[Block] = ()) -> Iterator[Block]:
    """Every tree with a bar for each domain; sentences that stand `above` already are not repeated."""
    if not trees:
        yield Text(["No topology: its pods are not placed in a tree of domains."])
    for tree in trees:
        yield from (block for block in _drawing(tree) if block not in above)


# --- the table ----------------------------------------------------------------------------------


def _table(tree: Tree, *, several_trees: bool) -> Iterator[Block]:
    level = _level(tree)
    resources = key_resources(tree)
    domains = sorted(tree.domains[level], key=lambda domain: _relevance(domain, resources))
    shown = domains[:MOST_ROWS]
    barred = any(_barred(domain) for domain in shown)
    columns = [
        Column(f"DOMAIN ({tree.levels[level]})"),
        *(Column(f"FREE {resource}", "right") for resource in resources),
        Column("PODS THAT FIT", "right"),
        *([Column("RULED OUT")] if barred else []),
        Column("HELD BY"),
    ]
    rows: list[list[Cell]] = [
        [
            _name(domain),
            *(_free(domain, resource) for resource in resources),
            Span(str(domain.fit), "good" if domain.fit else "bad"),
            *([_barred(domain) or "-"] if barred else []),
            _holders(domain, resources) or "-",
        ]
        for domain in shown
    ]
    if several_trees:
        yield Heading(_title(tree))
    if rows:
        yield Table(columns, rows)
        yield from rest_block(len(domains) - len(shown), "domain", in_document=True)
    for sentence in tree_words(tree):
        yield Text([sentence], indent=2, tight=bool(rows) or several_trees)


def _level(tree: Tree) -> int:
    """The level whose domains decide: the requested one, for slices that may spread the slices' own."""
    request = tree.request
    if request is None:
        return len(tree.levels) - 1
    name = request.slice_level if request.slice_level and request.how != "required" else request.level
    return tree.levels.index(name) if name in tree.levels else len(tree.levels) - 1


def key_resources(tree: Tree) -> list[str]:
    """The resources to tell of, at most two: those that are short, else those that are asked for."""
    request, best = tree.request, tree.best
    if request is None:
        return [room.resource for room in tree.domains[0][0].rooms][:2] if tree.domains[0] else []
    short = [lack.resource for lack in best.lacks] if best is not None else []
    short += [e.why.removeprefix("resource:") for e in tree.excluded if e.why.startswith("resource:")]
    asked = [a.resource for a in request.per_pod if a.resource != "pods" and a.amount]
    found = list(dict.fromkeys(short)) or asked or ["pods"]
    devices_first = sorted(found, key=lambda resource: resource in ("cpu", "memory", "pods"))
    return devices_first[:2]


def _relevance(domain: Domain, resources: Sequence[str]) -> tuple[object, ...]:
    """Most room first; domains that a condition rules out last."""
    free = [-_room(domain, resource).free for resource in resources]
    return bool(_barred(domain)), -domain.fit, free, domain.values


def _room(domain: Domain, resource: str) -> Room:
    return next((r for r in domain.rooms if r.resource == resource), Room(resource, 0, 0, 0, 0))


def _barred(domain: Domain) -> str:
    """The condition that rules the leaf out, unless it is lack of room."""
    if not domain.excluded or domain.excluded.startswith("resource:"):
        return ""
    return domain.excluded.replace(":", " ", 1)


def _name(domain: Domain) -> str:
    return "/".join(domain.values)


def _free(domain: Domain, resource: str) -> str:
    room = _room(domain, resource)
    return f"{quantity(resource, room.free)} of {quantity(resource, room.capacity)}"


def _holders(domain: Domain, resources: Sequence[str], most: int = 2) -> str:
    """Who holds the key resource, the largest first."""
    found = [(held, o) for o in domain.held_by if (held := _held(o, resources[0]))] if resources else []
    found.sort(key=lambda item: (-item[0], item[1].name))
    told = [
        f"{'pod ' if o.kind == 'pod' else ''}{o.name} {quantity(resources[0], held)}" for held, o in found
    ]
    return several(told, most)


def _held(occupant: Occupant, resource: str) -> int:
    return sum(held.amount for held in occupant.holds if held.resource == resource)


# --- sentences ----------------------------------------------------------------------------------


def tree_words(tree: Tree) -> Iterator[str]:
    """The best domain and what it lacks; leaves that are ruled out; nodes that the tree does not have."""
    own = [f"{_name(domain)} ({domain.own})" for domain in tree.domains[-1] if domain.own]
    if own:
        yield f"Its pods are in {several(own)}."
    elif tree.best is not None:
        yield _best_words(tree)
    conditions = [e for e in tree.excluded if not e.why.startswith("resource:")]
    if conditions:
        yield f"Unusable: {joined(_with_names(exclusions({e.why: len(e.names)}), e) for e in conditions)}."
    if tree.hidden:
        yield f"Not in the tree: {joined(_with_names(_hidden_words(h), h) for h in tree.hidden)}."


def _best_words(tree: Tree) -> str:
    request, best = tree.request, tree.best
    if request is None or best is None:
        return ""
    beside = " beside its leader" if request.leader else ""
    where = "/".join(best.values)
    if request.how == "required":
        fits = f"Best is {where}, with {_part(best.fit, request.count)}{beside}"
    else:
        fits = f"The whole tree has {_part(best.fit_in_tree, request.count)}{beside}"
        if best.fit and len(tree.domains[-1]) > 1:
            fits += f", most in {where} ({best.fit})"
    if request.slice_size > 1:
        fits += f", which come in slices of {request.slice_size} to one {request.slice_level}"
    enough = best.fit if request.how == "required" else best.fit_in_tree
    if enough >= request.count:
        return f"{fits}."
    short = joined(amount(lack.resource, lack.amount) for lack in best.lacks)
    lacks = f"it lacks {short}" if short else "enough is free there, but in pieces that are too small"
    return f"{fits}; {lacks}."


def _part(fit: int, wanted: int) -> str:
    """ "room for all of its 3 pods", "room for 2 of its 3 pods", "no room for its pod"."""
    if wanted == 1:
        return "room for its pod" if fit else "no room for its pod"
    if not fit:
        return f"no room for any of its {wanted} pods"
    return f"room for {'all' if fit >= wanted else fit} of its {wanted} pods"


def _with_names(words: str, named: Named) -> str:
    return f"{words} ({several(named.names)})"


def _hidden_words(hidden: Named) -> str:
    number = len(hidden.names)
    kind, _, key = hidden.why.partition(":")
    match kind:
        case "unschedulable":
            return f"{number} cordoned"
        case "not-ready":
            return f"{number} not ready"
        case "level":
            return f"{number} without the level label {key}"
    return f"{number} whose label {key} is not the flavor's"


# --- the drawing --------------------------------------------------------------------------------


def _title(tree: Tree) -> str:
    sets = f", pod set {joined(tree.pod_sets)}" if tree.pod_sets else ""
    return f"Topology {tree.topology} of flavor {tree.flavor}{sets}"


def _drawing(tree: Tree) -> Iterator[Block]:
    yield Heading(_title(tree))
    levels = " > ".join(tree.levels)
    resources = key_resources(tree)[:1]
    used = f", bars show used {resources[0]}" if resources and tree.domains[0] else ""
    yield Text([Span(f"levels {levels}{used}", "dim")], indent=2, tight=True)
    if resources and tree.domains[0]:
        yield Bars(
            list(_branches(tree, resources[0], 0, range(len(tree.domains[0])), "")), indent=2, tight=True
        )
    for sentence in tree_words(tree):
        yield Text([sentence], indent=2, tight=True)


def _branches(tree: Tree, resource: str, level: int, indices: Iterable[int], stem: str) -> Iterator[Bar]:
    """Bars of some domains of a level and of everything below them."""
    domains = tree.domains[level]
    shown, rest = _worth_drawing(tree, resource, [(i, domains[i]) for i in indices])
    for place, (index, domain) in enumerate(shown):
        last = place + 1 == len(shown) and not rest
        branch, below = ("", "") if level == 0 else ("└─ ", "   ") if last else ("├─ ", "│  ")
        yield _bar(tree, f"{stem}{branch}{domain.values[-1]}", resource, domain)
        if level + 1 < len(tree.levels):
            yield from _branches(tree, resource, level + 1, _children(tree, level, index), stem + below)
    if rest:
        branch = "" if level == 0 else "└─ "
        yield _rest_bar(f"{stem}{branch}{len(rest)} more", resource, rest)


def _children(tree: Tree, level: int, index: int) -> list[int]:
    prefix = tree.domains[level][index].values
    return [i for i, child in enumerate(tree.domains[level + 1]) if child.values[: level + 1] == prefix]


def _worth_drawing(
    tree: Tree, resource: str, found: list[tuple[int, Domain]]
) -> tuple[list[tuple[int, Domain]], list[Domain]]:
    """Domains to draw, in their order, and those that are only summed up: own places and room come first."""
    if len(tree.domains[-1]) <= MOST_DRAWN or len(found) <= MOST_BRANCHES + 1:
        return found, []
    ranked = sorted(found, key=lambda item: (-item[1].own, *_relevance(item[1], [resource])))
    kept = sorted(ranked[:MOST_BRANCHES], key=lambda item: item[0])
    return kept, [domain for _, domain in ranked[MOST_BRANCHES:]]


def _bar(tree: Tree, label: str, resource: str, domain: Domain) -> Bar:
    room = _room(domain, resource)
    told = [f"{quantity(resource, room.used)} of {quantity(resource, room.capacity)} {resource}"]
    style: Style = ""
    if domain.own:
        told.append(f"{count(domain.own, 'pod')} of this workload")
        style = "good"
    elif tree.request is not None and not any(top.own for top in tree.domains[0]):
        told.append(f"room for {count(domain.fit, 'pod')}")
        style = "warn" if domain.fit == 0 else ""
    if _barred(domain):
        told.append(f"ruled out: {_barred(domain)}")
    if len(domain.values) == len(tree.levels) and (holders := _holders(domain, [resource])):
        told.append(holders)
    return Bar(label, room.used, room.capacity, "; ".join(told), style)


def _rest_bar(label: str, resource: str, domains: Sequence[Domain]) -> Bar:
    used = sum(_room(domain, resource).used for domain in domains)
    capacity = sum(_room(domain, resource).capacity for domain in domains)
    told = f"{quantity(resource, used)} of {quantity(resource, capacity)} {resource}"
    return Bar(label, used, capacity, f"{told}; room for {count(sum(d.fit for d in domains), 'pod')}")
