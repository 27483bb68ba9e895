"""What holds for the heaps of pending workloads, whatever comes and goes."""

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from kubectl_kueue.engine.admission_fair_sharing import LiveHeap
from kubectl_kueue.engine.queues import Heap, OrderHeap
from kubectl_kueue.engine.workload import WorkloadInfo
from kubectl_kueue.model.objects import ObjectMeta, Workload
from tests.worlds import state_of

PENDING = {f"w{i}": {"queue": "q", "asks": 1} for i in range(8)}
KEYS = st.sampled_from([f"default/{name}" for name in PENDING])


class Heaps(RuleBasedStateMachine):
    """Both heaps, next to a dict that is sorted whenever somebody asks."""

    def __init__(self) -> None:
        super().__init__()
        afs = {"admissionFairSharing": {"usageHalfLifeTime": "10m"}}
        state = state_of(
            {"config": afs, "queues": {"q": {"quota": 0, "usageBased": True}}, "pending": PENDING}
        )
        assert state.ledger is not None
        self.infos = state.workloads
        self.live = state.queues.by_name["q"].heap
        assert isinstance(self.live, LiveHeap)
        for key in list(self.infos):
            self.live.remove(key)
        self.heaps: list[Heap] = [OrderHeap(), self.live]
        self.model: dict[str, WorkloadInfo] = {}

    @rule(key=KEYS, priority=st.integers(0, 3))
    def put(self, key: str, priority: int) -> None:
        """A new one with any priority, or one that is there, unchanged."""
        info = self.infos[key]
        if key not in self.model:
            info.order = (-priority, *info.order[1:])
        self.model[key] = info
        for heap in self.heaps:
            heap.upsert(info)

    @rule(key=KEYS)
    def remove(self, key: str) -> None:
        self.model.pop(key, None)
        for heap in self.heaps:
            heap.remove(key)

    @precondition(lambda self: self.model)
    @rule()
    def pop(self) -> None:
        best = min(self.model.values(), key=lambda info: info.order)
        del self.model[best.key]
        for heap in self.heaps:
            assert heap.pop(None) is best

    @invariant()
    def they_hold_the_same(self) -> None:
        for heap in self.heaps:
            assert len(heap) == len(self.model)
            assert {info.key for info in heap} == set(self.model)
            assert all((key in heap) == (key in self.model) for key in self.infos)


Heaps.TestCase.settings = settings(max_examples=60, stateful_step_count=25)
TestHeaps = Heaps.TestCase


@given(
    st.lists(st.tuples(KEYS, st.integers(-3, 3)), min_size=1, max_size=8, unique_by=lambda pair: pair[0]),
    st.integers(-3, 3),
    KEYS,
)
@settings(max_examples=60)
def test_the_sticky_one_goes_first_the_others_in_order(
    waiting: list[tuple[str, int]], again: int, sticky: str
) -> None:
    heap = OrderHeap()
    infos = [_info(key, priority) for key, priority in waiting]
    for info in infos:
        heap.upsert(info)
    infos[0].order = (-again, *infos[0].order[1:])
    heap.upsert(infos[0])
    popped = []
    while (info := heap.pop(sticky)) is not None:
        popped.append(info.key)
    assert popped == [info.key for info in sorted(infos, key=lambda info: (info.key != sticky, info.order))]


def _info(key: str, priority: int) -> WorkloadInfo:
    namespace, _, name = key.partition("/")
    info = WorkloadInfo(key, Workload(metadata=ObjectMeta(name=name, namespace=namespace, uid=name)))
    info.order = (-priority, 0, name, key)
    return info
