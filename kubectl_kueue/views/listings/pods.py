"""Pods, a line each, in the columns and words in which an API server shows them."""

from collections.abc import Iterator, Sequence

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.slim import ContainerState, ContainerStatus, Pod, find_condition, true_condition
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.views.durations import age, short_duration
from kubectl_kueue.views.listings.frame import Row
from kubectl_kueue.views.page import Column, Listing


def pod_row(pod: Pod, now: int) -> Row:
    """Cells in the order of the columns, NAMESPACE first."""
    sidecars = _sidecars(pod)
    statuses = pod.status.container_statuses or ()
    init = pod.status.init_container_statuses or ()
    ready = sum(each.ready and _running(each) for each in statuses)
    ready += sum(each.ready and each.name in sidecars for each in init)
    stage = _initializing(pod)
    counted = init if stage else [*(each for each in init if each.name in sidecars), *statuses]
    return (
        pod.metadata.namespace,
        pod.metadata.name,
        f"{ready}/{len(pod.spec.containers or ()) + len(sidecars)}",
        _status(pod, stage),
        _restarts(counted, now),
        age(pod.metadata.creation_timestamp, now),
        next((each.ip for each in pod.status.pod_ips or () if each.ip), pod.status.pod_ip) or "<none>",
        pod.spec.node_name or "<none>",
        pod.status.nominated_node_name or "<none>",
        _gates(pod),
    )


def pod_listing(rows: Sequence[Row], *, namespaces: bool) -> Listing:
    """The table of these rows."""
    columns = [Column(name) for name in ("NAME", "READY", "STATUS", "RESTARTS", "AGE")]
    columns += [Column(name, wide=True) for name in ("IP", "NODE", "NOMINATED NODE", "READINESS GATES")]
    if namespaces:
        return Listing([Column("NAMESPACE"), *columns], rows)
    return Listing(columns, [row[1:] for row in rows])


# --- STATUS -------------------------------------------------------------------------------------


def _status(pod: Pod, initializing: str) -> str:
    """One word: what keeps the first of its containers from running, else the phase."""
    if pod.metadata.deletion_timestamp:
        if pod.status.reason == "NodeLost":
            return "Unknown"
        if pod.status.phase not in ("Succeeded", "Failed"):
            return "Terminating"
    if initializing:
        return initializing
    word = next(_container_words(pod), _phase(pod))
    if word == "Completed" and any(map(_running, pod.status.container_statuses or ())):
        return "Running" if true_condition(pod.status.conditions, "Ready") else "NotReady"
    return word


def _phase(pod: Pod) -> str:
    scheduled = find_condition(pod.status.conditions, "PodScheduled")
    if scheduled is not None and scheduled.reason == "SchedulingGated":
        return "SchedulingGated"
    return pod.status.reason or pod.status.phase


def _container_words(pod: Pod) -> Iterator[str]:
    for each in pod.status.container_statuses or ():
        state = each.state or ContainerState()
        if state.waiting is not None and state.waiting.reason:
            yield state.waiting.reason
        elif state.terminated is not None:
            yield _end(state)


def _initializing(pod: Pod) -> str:
    """The word while init containers run, or ""."""
    if true_condition(pod.status.conditions, "Initialized"):
        return ""
    sidecars = _sidecars(pod)
    for index, each in enumerate(pod.status.init_container_statuses or ()):
        state = each.state or ContainerState()
        if state.terminated is not None and state.terminated.exit_code == 0:
            continue
        if each.name in sidecars and each.started:
            continue
        if state.terminated is not None:
            return f"Init:{_end(state)}"
        if state.waiting is not None and state.waiting.reason not in ("", "PodInitializing"):
            return f"Init:{state.waiting.reason}"
        return f"Init:{index}/{len(pod.spec.init_containers or ())}"
    return ""


def _end(state: ContainerState) -> str:
    end = state.terminated
    assert end is not None
    return end.reason or (f"Signal:{end.signal}" if end.signal else f"ExitCode:{end.exit_code}")


# --- other cells --------------------------------------------------------------------------------


def _restarts(statuses: Sequence[ContainerStatus], now: int) -> str | int:
    """How often containers have been started again, and how long ago for the last time."""
    count = sum(each.restart_count for each in statuses)
    ends = [end for each in statuses if (end := _last_end(each)) is not None]
    return f"{count} ({short_duration(now - max(ends))} ago)" if count and ends else count


def _last_end(status: ContainerStatus) -> int | None:
    last = status.last_state.terminated if status.last_state is not None else None
    try:
        return parse_time(last.finished_at) if last is not None and last.finished_at else None
    except InputError:
        return None


def _gates(pod: Pod) -> str:
    gates = pod.spec.readiness_gates or ()
    passed = sum(true_condition(pod.status.conditions, gate.condition_type) is not None for gate in gates)
    return f"{passed}/{len(gates)}" if gates else "<none>"


def _sidecars(pod: Pod) -> frozenset[str]:
    """Names of init containers that go on running."""
    return frozenset(each.name for each in pod.spec.init_containers or () if each.restart_policy == "Always")


def _running(status: ContainerStatus) -> bool:
    return status.state is not None and status.state.running is not None
