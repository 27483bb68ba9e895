"""`explain resourceflavor`: which nodes it means, who has quota of it, what keeps it from whom."""

from collections.abc import Iterator
from typing import Any

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.engine.inquiries.flavor import FlavorInquiry
from kubectl_kueue.engine.inquiries.records import FlavorFor, FlavorTotal, NodeMatch
from kubectl_kueue.model.timestamp import format_time
from kubectl_kueue.views.explain_document import plain
from kubectl_kueue.views.explain_queue import SCHEMA_VERSION, Unread, footer
from kubectl_kueue.views.page import (
    Block,
    Cell,
    Column,
    Document,
    Heading,
    KeyValues,
    Page,
    Span,
    Table,
    Text,
)
from kubectl_kueue.views.words.inquiries import flavor_headline, for_words
from kubectl_kueue.views.words.numbers import count, joined, quantity

MOST_NODES = 12
MOST_USERS = 40


def flavor_page(found: FlavorInquiry, unread: Unread) -> Page:
    """The answer about a ResourceFlavor; with a workload, what keeps it from that comes first."""
    first = for_words(found.asked, found.name) if found.asked is not None else flavor_headline(found)
    blocks: list[Block] = [
        Text([Span(f"ResourceFlavor {found.name}", "strong"), f": {first}"]),
        KeyValues(list(_about(found))),
        *_rows(found.asked),
        *_totals(found),
        *_users(found),
        *_nodes(found),
        *footer(unread, found.now),
    ]
    return Page(blocks)


def flavor_document(found: FlavorInquiry, unread: Unread) -> Document:
    """The same for programs."""
    spec = found.flavor.spec
    data: dict[str, Any] = {
        "schemaVersion": SCHEMA_VERSION,
        "kind": "ResourceFlavor",
        "name": found.name,
        "message": flavor_headline(found),
        "nodeLabels": dict(spec.node_labels),
        "topology": spec.topology_name or "",
        "topologyMissing": found.topology_missing,
        "nodes": None if found.nodes is None else [plain(node) for node in found.nodes],
        "totals": [plain(total) for total in found.totals],
        "users": [plain(user) for user in found.users],
        "missing": dict(unread),
        "now": format_time(found.now),
        "kueueVersion": SIMULATED_KUEUE,
    }
    if found.asked is not None:
        data["for"] = {**plain(found.asked), "message": for_words(found.asked, found.name)}
    return Document(data)


def _about(found: FlavorInquiry) -> Iterator[tuple[str, Cell]]:
    spec = found.flavor.spec
    labels = ", ".join(f"{key}={value}" for key, value in sorted(spec.node_labels.items()))
    yield "Node labels", labels or "none: it means every node"
    if spec.node_taints:
        yield "Taints", ", ".join(f"{t.key}={t.value}:{t.effect}" for t in spec.node_taints)
    if spec.topology_name:
        gone = found.topology_missing
        yield (
            "Topology",
            Span(f"{spec.topology_name} (does not exist)", "bad") if gone else spec.topology_name,
        )
    if found.asked is not None:
        yield "In all", flavor_headline(found)


def _rows(asked: FlavorFor | None) -> Iterator[Block]:
    if asked is None or not asked.rows:
        return
    names = ("ASKS", "OWN QUOTA", "FREE", "MOST EVER", "SHORT BY")
    columns = [Column("POD SET"), Column("RESOURCE"), *(Column(name, "right") for name in names)]
    rows: list[list[Cell]] = []
    for row in asked.rows:
        amounts = (row.asks, row.own_quota, row.cohort_free, row.most_ever)
        short: Cell = Span(quantity(row.resource, row.short_by), "bad") if row.short_by else "-"
        rows.append([row.pod_set, row.resource, *(quantity(row.resource, each) for each in amounts), short])
    yield Table(columns, rows, title="")


def _totals(found: FlavorInquiry) -> Iterator[Block]:
    if not found.totals:
        return
    yield Heading("Quota against nodes")
    columns = [Column("RESOURCE"), *(Column(name, "right") for name in ("QUOTA", "USED", "ON NODES"))]
    yield Table([*columns, Column("")], [_total(total) for total in found.totals], indent=2)


def _total(total: FlavorTotal) -> list[Cell]:
    there = "-" if total.allocatable is None else quantity(total.resource, total.allocatable)
    over = total.allocatable is not None and total.nominal > total.allocatable
    remark: Cell = Span("more quota than the nodes have", "warn") if over else ""
    shown = [quantity(total.resource, n) for n in (total.nominal, total.used)]
    return [total.resource, *shown, there, remark]


def _users(found: FlavorInquiry) -> Iterator[Block]:
    if not found.users:
        return
    yield Heading("Who has quota of it")
    columns = [
        Column("KIND"),
        Column("NAME"),
        Column("RESOURCE"),
        *(Column(name, "right") for name in ("NOMINAL", "USED", "BORROWED", "WORKLOADS")),
    ]
    rows: list[list[Cell]] = []
    for user in found.users[:MOST_USERS]:
        numbers = [quantity(user.resource, each) if each else "-" for each in (user.used, user.borrowed)]
        workloads = str(user.workloads) if user.workloads else "-"
        nominal = quantity(user.resource, user.nominal)
        rows.append([user.kind, user.name, user.resource, nominal, *numbers, workloads])
    yield Table(columns, rows, indent=2)
    if len(found.users) > MOST_USERS:
        yield Text([f"and {count(len(found.users) - MOST_USERS, 'more row')}"], indent=2, tight=True)


def _nodes(found: FlavorInquiry) -> Iterator[Block]:
    if found.nodes is None:
        return
    bad = [node for node in found.nodes if _trouble(node)]
    usable = len(found.nodes) - sum(1 for node in found.nodes if not node.ready or node.unschedulable)
    yield Heading(f"Nodes with its labels: {len(found.nodes)}, {usable} of them ready and schedulable")
    shown = [*bad, *(node for node in found.nodes if not _trouble(node))][:MOST_NODES]
    rows: list[list[Cell]] = [
        [node.name, Span(_trouble(node) or "ok", "warn" if _trouble(node) else "")] for node in shown
    ]
    if rows:
        yield Table([Column("NODE"), Column("STATE")], rows, indent=2)
    if len(found.nodes) > MOST_NODES:
        yield Text([f"and {count(len(found.nodes) - MOST_NODES, 'more node')}"], indent=2, tight=True)


def _trouble(node: NodeMatch) -> str:
    told = [
        *([] if node.ready else ["not ready"]),
        *(["unschedulable"] if node.unschedulable else []),
        *([f"taint {node.taint}, which the flavor does not tolerate"] if node.taint else []),
    ]
    return joined(told)
