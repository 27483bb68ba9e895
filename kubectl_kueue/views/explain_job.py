"""`explain` for a job: around the verdict its pods, what happened, its past; or why it has no Workload."""

from collections.abc import Iterator, Sequence
from typing import Any

from kubectl_kueue import SIMULATED_KUEUE
from kubectl_kueue.engine.inquiries.absence import Absence
from kubectl_kueue.model.timestamp import format_time
from kubectl_kueue.views.around import Around, PodLine
from kubectl_kueue.views.describe.events import Happening
from kubectl_kueue.views.durations import age
from kubectl_kueue.views.explain_document import plain
from kubectl_kueue.views.explain_history import history_blocks, history_document
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
    verdict_style,
)
from kubectl_kueue.views.words.absence import absence_headline, absence_steps, cause_words
from kubectl_kueue.views.words.answers import sentence
from kubectl_kueue.views.words.assumed import judged_words
from kubectl_kueue.views.words.history import bypassed_words, overdue_words
from kubectl_kueue.views.words.numbers import count, joined

MOST_PODS = 10
MOST_OTHERS = 12
SCHEMA_VERSION = "v1"


# --- around a verdict -----------------------------------------------------------------------------


def page_around(page: Page, around: Around) -> Page:
    """The page of the verdict with what goes with it: remarks behind the first lines, the rest above the
    footer."""
    blocks = list(page.blocks)
    remarks = list(_remarks(around))
    if remarks:
        at = 2 if len(blocks) > 1 and isinstance(blocks[1], KeyValues) else 1
        blocks[at:at] = remarks
    more = list(_more(around))
    if more:
        at = _footer_of(blocks)
        blocks[at:at] = more
    return Page(blocks)


def document_around(document: dict[str, Any], around: Around) -> dict[str, Any]:
    """The document of the verdict with what goes with it; a field without content is left out."""
    job = around.job
    more: dict[str, Any] = {
        "subject": None if job is None else {"kind": job[0], "name": job[1]},
        "otherWorkloads": [
            {"workload": key, "verdict": word, "message": message} for key, word, message in around.others
        ],
        "overdue": plain(around.overdue) if around.overdue is not None else None,
        "bypassed": plain(around.bypassed) if around.bypassed is not None else None,
        "history": history_document(around.history) if around.history is not None else None,
        "pods": [_pod_document(pod) for pod in around.pods],
        "events": [_event_document(kind, event) for kind, event in around.events],
        "notRead": list(around.notes),
    }
    return {**document, **{name: value for name, value in more.items() if value}}


def _footer_of(blocks: Sequence[Block]) -> int:
    """Where the dim lines at the end begin."""
    at = len(blocks)
    while at > 1 and _is_dim(blocks[at - 1]):
        at -= 1
    return at


def _is_dim(block: Block) -> bool:
    parts = block.parts if isinstance(block, Text) else ()
    return bool(parts) and all(isinstance(part, Span) and part.style == "dim" for part in parts)


def _remarks(around: Around) -> Iterator[Block]:
    if around.overdue is not None:
        yield Text([Span(overdue_words(around.overdue, around.now), "warn")])
    if around.bypassed is not None:
        yield Text([bypassed_words(around.bypassed)])


def _more(around: Around) -> Iterator[Block]:
    yield from _others(around.others, "Other Workloads of it" if around.job else "Other Workloads")
    if around.history is not None:
        yield from history_blocks(around.history, around.now)
    yield from pods_blocks(around.pods)
    yield from _events(around.events)
    for note in around.notes:
        yield Text([note])


def _others(others: Sequence[tuple[str, str, str]], title: str) -> Iterator[Block]:
    if not others:
        return
    yield Heading(title)
    rows: list[list[Cell]] = [
        [key, Span(word, verdict_style(word)), message] for key, word, message in others[:MOST_OTHERS]
    ]
    yield Table([Column("WORKLOAD"), Column("VERDICT"), Column("WHY")], rows, indent=2)
    if len(others) > MOST_OTHERS:
        yield Text([f"and {count(len(others) - MOST_OTHERS, 'more Workload')}"], indent=2, tight=True)


def pods_blocks(pods: Sequence[PodLine]) -> Iterator[Block]:
    """How many pods are in which phase, then those that have no place, and why."""
    if not pods:
        return
    phases: dict[str, int] = {}
    for pod in pods:
        phases[pod.phase] = phases.get(pod.phase, 0) + 1
    yield Heading(f"Pods: {joined(f'{number} {phase}' for phase, number in sorted(phases.items()))}")
    waiting = [pod for pod in pods if pod.why]
    rows: list[list[Cell]] = [
        [p.name, p.phase, p.node or "-", _why(p)] for p in (waiting or pods)[:MOST_PODS]
    ]
    columns = [Column("POD"), Column("PHASE"), Column("NODE"), Column("NOT PLACED BECAUSE")]
    if not waiting:
        columns, rows = columns[:3], [row[:3] for row in rows]
    yield Table(columns, rows, indent=2)
    more = len(waiting or pods) - MOST_PODS
    if more > 0:
        yield Text([f"and {count(more, 'more pod')}"], indent=2, tight=True)


def _why(pod: PodLine) -> str:
    ours = [gate for gate in pod.gates if gate.startswith("kueue.x-k8s.io/")]
    if ours:
        return f"Kueue holds it back (scheduling gate {joined(ours)})"
    return pod.why


def _events(events: Sequence[tuple[str, Happening]]) -> Iterator[Block]:
    if not events:
        return
    yield Heading("Recent events")
    rows: list[list[Cell]] = [
        [
            event.age,
            Span(event.type, "warn" if event.type == "Warning" else ""),
            kind,
            event.reason,
            _said(event),
        ]
        for kind, event in events
    ]
    columns = [Column("AGE"), Column("TYPE"), Column("OF"), Column("REASON"), Column("MESSAGE")]
    yield Table(columns, rows, indent=2)


def _said(event: Happening) -> str:
    return f"{event.message} (x{event.times})" if event.times > 1 else event.message


def _pod_document(pod: PodLine) -> dict[str, Any]:
    out: dict[str, Any] = {"name": pod.name, "phase": pod.phase}
    if pod.node:
        out["node"] = pod.node
    if pod.why:
        out["unschedulable"] = pod.why
    if pod.gates:
        out["schedulingGates"] = list(pod.gates)
    return out


def _event_document(kind: str, event: Happening) -> dict[str, Any]:
    out: dict[str, Any] = {"kind": kind, "type": event.type, "reason": event.reason, "message": event.message}
    if event.at:
        out["time"] = format_time(event.at)
    if event.times > 1:
        out["count"] = event.times
    return out


# --- no Workload ----------------------------------------------------------------------------------


def absence_page(found: Absence, around: Around) -> Page:
    """A job for which Kueue has no Workload."""
    job = found.job
    blocks: list[Block] = [
        Text([Span("NoWorkload", "bad"), f": {absence_headline(found)}"]),
        KeyValues(list(_about(found, around.now))),
    ]
    if len(found.causes) > 1:
        blocks.append(Heading("Also"))
        blocks.extend(
            Text([sentence(cause_words(cause, found))], indent=2, tight=True) for cause in found.causes[1:]
        )
    if steps := absence_steps(found):
        blocks.append(Heading("Next"))
        blocks.extend(Text([step], indent=2, tight=True) for step in steps)
    blocks.extend(pods_blocks(around.pods) if job.kind != "Pod" else ())
    blocks.extend(_events(around.events))
    blocks.extend(Text([note]) for note in around.notes)
    blocks.extend(_footer(found, around.now))
    return Page(blocks)


def _about(found: Absence, now: int) -> Iterator[tuple[str, Cell]]:
    job = found.job
    made = f", created {age(job.created, now)} ago" if job.created else ""
    held = "" if job.suspended is None else ", suspended" if job.suspended else ", not suspended"
    yield job.kind, f"{'/'.join(filter(None, (job.namespace, job.name)))}{made}{held}"
    yield "Queue", f"LocalQueue {job.queue}" if job.queue else "none named"
    if job.owner is not None:
        yield "Owner", f"{job.owner.kind} {job.owner.name}"


def _footer(found: Absence, now: int) -> Iterator[Block]:
    if not found.config_read:
        text = (
            "Kueue's Configuration could not be read: which kinds and namespaces it looks after is not known."
        )
        yield Text([Span(text, "dim")])
    yield Text([Span(judged_words(now), "dim")])


def absence_document(found: Absence, around: Around) -> Document:
    """The same for programs."""
    job = found.job
    name = "/".join(filter(None, (job.namespace, job.name)))
    data: dict[str, Any] = {
        "schemaVersion": SCHEMA_VERSION,
        "workload": "",
        "verdict": "NoWorkload",
        "reason": type(found.causes[0]).__name__,
        "message": absence_headline(found),
        "next": absence_steps(found),
        "causes": [
            {"cause": type(cause).__name__, "message": cause_words(cause, found), "facts": plain(cause)}
            for cause in found.causes
        ],
        "configurationRead": found.config_read,
        "now": format_time(around.now),
        "kueueVersion": SIMULATED_KUEUE,
    }
    return Document(document_around(data, around._replace(job=(job.kind, name))))
