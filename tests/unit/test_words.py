"""Everything that the engine can say has words, and numbers read as people write them."""

from collections.abc import Iterator

import pytest

from kubectl_kueue.cli.session import EXIT_CODES
from kubectl_kueue.engine.entry import Rejection, Skip, Status
from kubectl_kueue.engine.explanation.questions import CODES as GATE_CODES
from kubectl_kueue.engine.explanation.verdict import Word
from kubectl_kueue.engine.preemption.candidates import PreemptionReason
from kubectl_kueue.engine.reasons import Reason
from kubectl_kueue.engine.topology import reasons as topology
from kubectl_kueue.model.timestamp import parse_time
from kubectl_kueue.views.words import outcomes
from kubectl_kueue.views.words.answers import sentence
from kubectl_kueue.views.words.gates import QUESTIONS
from kubectl_kueue.views.words.numbers import age, amount, clock, count, joined, ordinal, requested, several
from kubectl_kueue.views.words.reasons import KINDS, exclusions, reason_words

BASES = {topology.TopologyReason, topology.TopologyError}


def concrete(kind: type[Reason]) -> Iterator[type[Reason]]:
    for below in kind.__subclasses__():
        if below not in BASES:
            yield below
        yield from concrete(below)


def test_every_reason_has_words() -> None:
    assert set(concrete(Reason)) == KINDS


@pytest.mark.parametrize(
    "kind", sorted(KINDS, key=lambda kind: kind.__name__), ids=lambda kind: kind.__name__
)
def test_a_reason_is_a_clause(kind: type[Reason]) -> None:
    """It follows "it": no capital, no full stop, and nothing of Python shines through."""
    values = {"int": 3, "str": "x", "tuple[str, ...]": ("x", "y"), "dict[str, int]": {"resource:cpu": 2}}
    facts = {
        name: values.get(getattr(annotation, "__name__", str(annotation)), values.get(str(annotation), ()))
        for name, annotation in kind.__annotations__.items()
        if "ClassVar" not in str(annotation)
    }
    words = reason_words(kind(**facts))
    assert words[0].islower()
    assert not words.endswith(".")
    assert not set("{}[]'") & set(words)


def test_every_outcome_has_words() -> None:
    assert set(outcomes.REJECTIONS) == set(Rejection)
    assert set(outcomes.SKIPS) == set(Skip)
    assert set(outcomes.PREEMPTIONS) == set(PreemptionReason)
    assert set(outcomes.VERDICTS) == set(Word) == set(EXIT_CODES)
    told = {Status.NO_FIT, Status.INADMISSIBLE, Status.SKIPPED}  # by their reasons
    assert set(outcomes.STATUSES) | told == set(Status)


def test_every_code_has_words() -> None:
    assert set(GATE_CODES.values()) <= set(outcomes.CODES)
    assert set(GATE_CODES) <= set(QUESTIONS)


NOW = parse_time("2026-03-01T12:00:00Z")


@pytest.mark.parametrize(
    ("then", "told"),
    [
        ("2026-03-01T12:00:05Z", "0s"),
        ("2026-03-01T11:59:15Z", "45s"),
        ("2026-03-01T11:47:00Z", "13m"),
        ("2026-03-01T09:10:00Z", "170m"),
        ("2026-03-01T08:40:00Z", "3h20m"),
        ("2026-03-01T04:00:00Z", "8h"),
        ("2026-02-27T11:00:00Z", "2d"),
    ],
)
def test_age(then: str, told: str) -> None:
    assert age(NOW, parse_time(then)) == told


def test_clock_tells_the_date_of_another_day() -> None:
    assert clock(NOW, parse_time("2026-03-01T09:05:59Z")) == "09:05"
    assert clock(NOW, parse_time("2026-03-01T12:00:02Z")) == "12:00:02"
    assert clock(NOW, parse_time("2026-03-01T11:58:00Z")) == "11:58:00"
    assert clock(NOW, parse_time("2026-03-01T12:02:01Z")) == "12:02"
    assert clock(NOW, parse_time("2026-02-28T23:59:00Z")) == "2026-02-28 23:59"


def test_places() -> None:
    places = [ordinal(place) for place in (0, 1, 2, 3, 10, 11, 12, 20, 100, 110)]
    assert places == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "101st", "111th"]


def test_lists() -> None:
    assert joined([]) == ""
    assert joined(["a", "b"], last="or") == "a or b"
    assert several(["a", "b", "c", "d"]) == "a, b, c and d"
    assert several(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"
    assert (count(1, "pod"), count(2, "pod")) == ("1 pod", "2 pods")


def test_amounts() -> None:
    assert amount("cpu", 500) == "500m cpu"
    assert amount("memory", 2**31) == "2Gi memory"
    assert amount("cpu", 2**63 - 1) == "unlimited cpu"
    assert requested("cpu", 2**63 - 1) == "9223372036854775807m"


def test_exclusions() -> None:
    assert exclusions({"resource:cpu": 2, "taint:a=b:NoSchedule": 1}) == (
        "2 without enough free cpu and 1 with the untolerated taint a=b:NoSchedule"
    )
    assert exclusions({"nodeSelector": 3}) == "3 ruled out by the node selector"


def test_sentences() -> None:
    assert sentence("it waits") == "It waits."
    assert sentence("a-queue is gone") == "a-queue is gone."
    assert sentence("kubectl kueue resume workload a") == "kubectl kueue resume workload a"
