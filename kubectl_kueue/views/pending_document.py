"""The answer of `pending` for programs; field names stay within a schema version (docs/pending.md)."""

from collections.abc import Mapping, Sequence
from typing import Any

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.engine.pending import Waiter
from kubectl_kueue.engine.pending_groups import Group
from kubectl_kueue.model.quantity import format_request
from kubectl_kueue.model.timestamp import format_time
from kubectl_kueue.views.page import Document
from kubectl_kueue.views.pending import Pending
from kubectl_kueue.views.words.assumed import assumption_words, unread_of
from kubectl_kueue.views.words.pending import waits_for, why_words
from kubectl_kueue.views.words.when import bound_document

SCHEMA_VERSION = "v1"


def pending_document(shown: Pending) -> Document:
    """The answer for programs (docs/pending.md)."""
    rows = shown.rows()
    data = {**_head(shown), "items": [_item(shown, w) for w in rows]}
    return Document(data, [f"workload.kueue.x-k8s.io/{w.key.partition('/')[2]}" for w in rows])


def groups_document(shown: Pending, groups: Sequence[Group], by: str) -> Document:
    """The groups for programs."""
    items = [
        {
            "about": [text for text in group.about if text],
            "count": group.number,
            "asks": _amounts(group.asks),
            "verdicts": {str(word): number for word, number in group.words.items()},
            "example": group.example.key,
            "message": why_words(group.example, shown.found.now),
        }
        for group in groups
    ]
    return Document({**_head(shown), "groupBy": by, "items": items})


def _head(shown: Pending) -> dict[str, Any]:
    found = shown.found
    return {
        "schemaVersion": SCHEMA_VERSION,
        "now": format_time(found.now),
        "kueueVersion": SIMULATED_KUEUE,
        "visible": not found.hidden,
        "cutShort": found.cut_short,
        **({"holder": shown.ended} if shown.after else {}),
        "missing": dict(unread_of(shown.found.assumptions)),
        "assumptions": [assumption_words(each) for each in shown.found.assumptions],
    }


def _item(shown: Pending, w: Waiter) -> dict[str, Any]:
    namespace, _, name = w.key.partition("/")
    now = shown.found.now
    return {
        "workload": w.key,
        "namespace": namespace,
        "name": name,
        "localQueue": w.local_queue.partition("/")[2],
        "clusterQueue": w.cluster_queue,
        "position": _position(w),
        "positionSource": _source(shown, w),
        "priority": w.priority,
        "priorityClass": w.priority_class,
        "created": format_time(w.created) if w.created else "",
        "asks": _amounts(w.asks),
        "pods": w.pods,
        "verdict": str(w.word),
        "reason": w.code,
        "message": why_words(w, now),
        "waitsFor": waits_for(w, now),
        "needs": [
            {"flavor": n.flavor, "resource": n.resource, "amount": format_request(n.resource, n.amount)}
            for n in w.needs
        ],
        "blockers": [
            {
                "workload": b.workload,
                "amount": format_request(w.needs[0].resource, b.amount),
                "ahead": b.ahead,
            }
            for b in w.blockers
        ],
        "holders": w.holders,
        "turn": {"cycle": w.turn[0], "place": w.turn[1]} if w.turn else None,
        **({"notBefore": format_time(w.until)} if w.until else {}),
        **({"startsWhenHolderEnds": shown.after[w.key]} if w.key in shown.after else {}),
        "estimate": [bound_document(bound) for bound in shown.bounds.get(w.key, ())],
    }


def _position(w: Waiter) -> dict[str, int] | None:
    if w.place is None:
        return None
    whole = {} if w.place.in_cluster_queue < 0 else {"inClusterQueue": w.place.in_cluster_queue}
    return {**whole, "inLocalQueue": w.place.in_local_queue}


def _source(shown: Pending, w: Waiter) -> str:
    if w.place is None:
        return ""
    return "visibility" if shown.found.hidden or w.cluster_queue in shown.found.told else "computed"


def _amounts(asks: Mapping[str, int]) -> dict[str, str]:
    return {resource: format_request(resource, amount) for resource, amount in sorted(asks.items())}
