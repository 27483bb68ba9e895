"""All that a check may look at: what was read, what could not be read and why."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from kubectl_kueue.doctor.forecast import Forecast, forecast
from kubectl_kueue.errors import InputError
from kubectl_kueue.model.job_kinds import FRAMEWORKS
from kubectl_kueue.model.job_marks import JobMarks, read_marks
from kubectl_kueue.model.management import Management, read_management
from kubectl_kueue.model.manager import is_kueues
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.model.world import World

Value = Mapping[str, Any]

NOT_IN_DATA = "not in the data"
NEEDS_CLUSTER = "needs a live cluster"

DEFAULT_NAMESPACE = "kueue-system"


class Evidence(msgspec.Struct, frozen=True, dict=True):
    """Objects as the API has them (JSON values), by kind, and answers of a live server.

    `missing` maps a kind, or one of "World", "Configuration", "metrics", "conversion", "visibility", to why
    it could not be read; `partly` a kind to the only namespace where it could. `now` is in microseconds since
    1970. `world` is what the scheduler reads. `conversion` has for each kind what the server said instead of
    converting one object ("": it did); `visibility` what it said instead of serving that API ("": it does).
    `metrics` is the text that Kueue gives to Prometheus. `age_counts`: `now` is a real moment, so that
    something can have waited for too long.
    """

    now: int
    live: bool = False
    objects: Mapping[str, Sequence[Value]] = {}
    missing: Mapping[str, str] = {}
    partly: Mapping[str, str] = {}
    world: World | None = None
    configuration: Value | None = None
    conversion: Mapping[str, str] = {}
    visibility: str = ""
    metrics: str = ""
    age_counts: bool = True

    def of(self, *kinds: str) -> Iterator[Value]:
        """The objects of these kinds."""
        for kind in kinds:
            yield from self.objects.get(kind, ())

    def unread(self, kinds: Sequence[str]) -> dict[str, str]:
        """Which of these could not be read at all, and why."""
        return {kind: self.missing[kind] for kind in kinds if kind in self.missing}

    def sees(self, namespace: str, *kinds: str) -> bool:
        """Whether objects of all these kinds were read there."""
        return all(self.partly.get(kind, namespace) == namespace for kind in kinds)

    @property
    def seen(self) -> World:
        """The world, for checks that need one."""
        assert self.world is not None
        return self.world

    @cached_property
    def forecast(self) -> Forecast:
        """What the scheduler would do."""
        return forecast(self.seen)

    @cached_property
    def management(self) -> Management | None:
        """Which jobs Kueue looks after; None if its Configuration could not be read."""
        config = self.configuration
        return None if config is None else read_management(config, self.namespace)

    @cached_property
    def queued_jobs(self) -> Sequence[tuple[JobMarks, Value]]:
        """The jobs that name a queue."""
        found = ((read_marks(value), value) for group, kind in FRAMEWORKS for value in self.of(kind))
        return [(job, value) for job, value in found if job.queue and (job.group, job.kind) in FRAMEWORKS]

    @property
    def manager(self) -> Value | None:
        """The Deployment of Kueue's manager."""
        return next((each for each in self.of("Deployment") if _runs_manager(each)), None)

    @property
    def namespace(self) -> str:
        """Where Kueue is installed, as far as anything tells."""
        if self.manager is not None:
            return text(self.manager, "metadata", "namespace") or DEFAULT_NAMESPACE
        for service in self.of("APIService"):
            if text(service, "spec", "group") == "visibility.kueue.x-k8s.io":
                return text(service, "spec", "service", "namespace") or DEFAULT_NAMESPACE
        return DEFAULT_NAMESPACE


def at(value: Any, *path: str) -> Any:
    """What stands at the path, None where nothing does."""
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def text(value: Any, *path: str) -> str:
    """The text at the path, "" where there is none."""
    found = at(value, *path)
    return found if isinstance(found, str) else ""


def number(value: Any, *path: str) -> int:
    """The number at the path, 0 where there is none."""
    found = at(value, *path)
    return found if isinstance(found, int) else 0


def items(value: Any, *path: str) -> Sequence[Any]:
    """The list at the path, an empty one where there is none."""
    found = at(value, *path)
    return found if isinstance(found, list | tuple) else ()


def name_of(value: Value) -> str:
    """ "namespace/name", or "name"."""
    return "/".join(filter(None, (text(value, "metadata", "namespace"), text(value, "metadata", "name"))))


def labelled(value: Value, key: str) -> str:
    """The value of a label."""
    return text(value, "metadata", "labels", key)


def condition(value: Value, type_: str) -> Value:
    """The condition of this type; an empty one if there is none."""
    return next((each for each in items(value, "status", "conditions") if at(each, "type") == type_), {})


def moment(found: str) -> int | None:
    """A time of the API in microseconds since 1970, None for what is none."""
    try:
        return parse_time(found) if found else None
    except InputError:
        return None


def _runs_manager(deployment: Value) -> bool:
    if not is_kueues(name_of(deployment), at(deployment, "metadata", "labels")):
        return False
    containers = items(deployment, "spec", "template", "spec", "containers")
    return any(at(each, "name") == "manager" for each in containers)
