"""Rules that hold for jobs of every kind (kueuectl.md 7.7, JB01 to JB06)."""

from kubectl_kueue.jobs import keys
from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.job import Job
from kubectl_kueue.jobs.syntax import is_domain_path, is_subdomain
from kubectl_kueue.model.whole_number import above_zero

_LABELS = ("metadata", "labels")
_ANNOTATIONS = ("metadata", "annotations")
_MAX_GATE = 63


def check_common(job: Job, checks: Checks, *, prebuilt: bool, elastic: bool) -> None:
    """Report what the webhook refuses; `prebuilt`, `elastic`: what the kind allows."""
    check_queue(job, checks)
    _check_prebuilt(job, checks, allowed=prebuilt)
    _check_time(job, checks)
    check_elastic(job, checks, allowed=elastic)
    check_gates(job, checks)


def check_queue(job: Job, checks: Checks) -> None:
    """JB01: a queue name that is there is a name."""
    queue = job.labels.get(keys.QUEUE)
    if queue is not None and not is_subdomain(queue):
        checks.add("JB01", (*_LABELS, keys.QUEUE), value=queue)


def check_elastic(job: Job, checks: Checks, *, allowed: bool) -> None:
    """JB04."""
    if job.elastic and not allowed:
        checks.add("JB04", (*_ANNOTATIONS, keys.ELASTIC), kind=job.kind)


def check_gates(job: Job, checks: Checks) -> None:
    """JB06: names of gates, once each; no gate at all is fine."""
    names = gate_names(job.annotations.get(keys.GATED_BY, ""))
    path = (*_ANNOTATIONS, keys.GATED_BY)
    for name in dict.fromkeys(names):
        if len(name) > _MAX_GATE or not is_domain_path(name):
            checks.add("JB06", path, value=name)
        if names.count(name) > 1:
            checks.add("JB06", path, twice=name)


def gate_names(text: str) -> list[str]:
    """The names in the annotation."""
    return [name.strip() for name in text.split(",")] if text else []


def _check_prebuilt(job: Job, checks: Checks, *, allowed: bool) -> None:
    name = job.prebuilt
    if name is None:
        return
    where = _ANNOTATIONS if keys.PREBUILT in job.annotations else _LABELS
    if not allowed:
        checks.add("JB02", (*where, keys.PREBUILT), kind=job.kind)
    elif not is_subdomain(name):
        checks.add("JB02", (*where, keys.PREBUILT), value=name)


def _check_time(job: Job, checks: Checks) -> None:
    found = job.labels.get(keys.MAX_EXEC_TIME)
    if found is not None and above_zero(found, 64) is None:
        checks.add("JB03", (*_LABELS, keys.MAX_EXEC_TIME), value=found)
