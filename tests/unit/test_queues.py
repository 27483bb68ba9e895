"""Who waits where, who is next, who is tried again (tests/cases/queues)."""

from typing import Any

import pytest

from kubectl_kueue.engine.queues import PendingQueue, RequeueReason
from kubectl_kueue.engine.second_pass import LONGEST_DELAY, SecondPassQueue
from kubectl_kueue.engine.state import State
from kubectl_kueue.engine.workload import QUOTA_RESERVED, REQUEUED, WorkloadInfo
from kubectl_kueue.model.timestamp import SECOND
from tests.worlds import check, read_cases, state_of


@pytest.mark.parametrize("case", read_cases("queues", "order", "requeue"), ids=lambda case: case["name"])
def test_worlds(case: dict[str, Any]) -> None:
    check(case)


def popped(strict: bool = False) -> tuple[State, PendingQueue, WorkloadInfo]:
    """A head in flight, out of two workloads of different shape."""
    pending = {"w": {"queue": "q", "asks": 1}, "behind": {"queue": "q", "asks": 2}}
    state = state_of({"queues": {"q": {"quota": 0, "strict": strict}}, "pending": pending})
    ((name, info),) = state.queues.heads()
    assert (name, info.key) == ("q", "default/w")
    return state, state.queues.by_name["q"], info


IMMEDIATE = {"FailedAfterNomination", "PendingPreemption", "PendingMigration", "PreemptionFailed"}


@pytest.mark.parametrize("reason", list(RequeueReason))
def test_which_reasons_send_a_head_back_at_once(reason: RequeueReason) -> None:
    state, queue, info = popped()
    state.queues.requeue(info, reason)
    assert (info.key in queue.heap) == (reason in IMMEDIATE)
    assert (info.key in queue.inadmissible) == (reason not in IMMEDIATE)
    assert queue.inflight is None
    assert (info.shape in queue.parked) == (reason in ("NoFit", "PreemptionNoCandidates"))
    assert (queue.sticky == info.key) == (reason in ("PendingPreemption", "PendingMigration"))


@pytest.mark.parametrize("reason", list(RequeueReason))
def test_strict_fifo_sends_all_back_but_a_namespace_mismatch(reason: RequeueReason) -> None:
    state, queue, info = popped(strict=True)
    state.queues.requeue(info, reason)
    assert (info.key in queue.heap) == (reason is not RequeueReason.NAMESPACE_MISMATCH)
    assert queue.sticky is None
    assert not queue.parked


def test_an_event_between_pop_and_requeue_sends_even_a_no_fit_back() -> None:
    state, queue, info = popped()  # trap T47
    state.queues.request(info)
    state.queues.serve_requests()
    state.queues.requeue(info, RequeueReason.NO_FIT)
    assert info.key in queue.heap
    assert not queue.parked


def test_an_event_before_the_pop_does_not() -> None:
    state, queue, info = popped()
    state.queues.requeue(info, RequeueReason.AFTER_NOMINATION)
    state.queues.request(info)
    state.queues.serve_requests()
    assert state.queues.heads() == [("q", info)]
    state.queues.requeue(info, RequeueReason.NO_FIT)
    assert info.key in queue.inadmissible


def test_a_parked_workload_wakes_with_its_tree() -> None:
    state, queue, info = popped()
    state.queues.requeue(info, RequeueReason.NO_FIT)
    state.queues.request(info)
    state.queues.serve_requests()
    assert info.key in queue.heap
    assert not queue.parked
    assert not state.queues.requests


def test_a_status_that_says_nothing_new_does_not_wake_it() -> None:
    state, queue, info = popped()  # trap T46
    state.queues.requeue(info, RequeueReason.GENERIC)
    info.set_condition(QUOTA_RESERVED, False, "Pending", "some other words", state.now)
    state.queues.put(info)
    assert info.key in queue.inadmissible
    info.set_condition(REQUEUED, True, "BackoffFinished", "", state.now)
    state.queues.put(info)
    assert info.key in queue.heap


def test_a_running_back_off_parks_whatever_the_reason() -> None:
    state, queue, info = popped(strict=True)
    info.requeue_at = state.now + 1
    state.queues.requeue(info, RequeueReason.PENDING_PREEMPTION)
    assert info.key in queue.inadmissible
    state.queues.request(info)
    state.queues.serve_requests()
    assert info.key in queue.inadmissible
    state.snapshot.now += 1
    state.queues.request(info)
    state.queues.serve_requests()
    assert info.key in queue.heap


def test_the_preemptor_is_sticky_until_it_leaves() -> None:
    state, queue, info = popped()
    state.queues.requeue(info, RequeueReason.PENDING_PREEMPTION)
    state.queues.heads()
    state.queues.requeue(info, RequeueReason.NO_FIT)
    assert queue.sticky == info.key
    assert [waiting.key for waiting in state.queues.in_visible_order(queue)] == [
        "default/w",
        "default/behind",
    ]
    state.queues.delete(info)
    assert queue.preemptor is None


def test_another_preemptor_takes_its_place() -> None:
    state, queue, info = popped()
    state.queues.requeue(info, RequeueReason.PENDING_PREEMPTION)
    state.queues.heads()
    state.queues.requeue(info, RequeueReason.NO_FIT)
    ((_, other),) = state.queues.heads()
    state.queues.requeue(other, RequeueReason.PENDING_PREEMPTION)
    assert queue.sticky == other.key == "default/behind"


def test_who_was_never_in_the_queues_wakes_nobody() -> None:
    running = {"r": {"queue": "q", "asks": 1}}
    state = state_of(
        {"queues": {"q": {"quota": 1}}, "running": running, "pending": {"w": {"queue": "q", "asks": 1}}}
    )
    state.queues.request(state.workloads["default/r"])  # trap T31
    assert not state.queues.requests
    state.queues.request(state.workloads["default/w"])
    assert state.queues.requests == {"q"}


def test_a_failed_second_pass_waits_twice_as_long_each_time() -> None:
    queue = SecondPassQueue()
    state, _, info = popped()
    now, waits = state.now, []
    for _ in range(8):
        queue.retry(info, now)
        ready = next(t for t in range(now, now + LONGEST_DELAY + SECOND, SECOND) if queue.take_ready(t))
        waits.append((ready - now) // SECOND)
        now = ready
    assert waits == [2, 4, 8, 16, 30, 30, 30, 30]
    assert not queue
