"""Numbers written as texts, and places written as pointers (model/whole_number.py, model/pointer.py)."""

import pytest

from kubectl_kueue.engine.explanation.questions import ASKED_FIRST, BLOCKING
from kubectl_kueue.engine.preemptions import _PRIORITY
from kubectl_kueue.errors import ApiError, ConfigError, InputError
from kubectl_kueue.lint.mend import mended
from kubectl_kueue.model.change import _steps
from kubectl_kueue.model.duration import seconds
from kubectl_kueue.model.job_marks import read_marks
from kubectl_kueue.model.patches import apply_json
from kubectl_kueue.model.pointer import path_of, pointer
from kubectl_kueue.model.selectors import match_labels
from kubectl_kueue.model.whole_number import above_zero, is_digits, whole_number
from tests.reliability.hostile import NUMBERS


@pytest.mark.parametrize(
    ("text", "bits", "value"),
    [
        ("0", 32, 0),
        ("12", 32, 12),
        ("+1", 32, 1),
        ("-1", 32, -1),
        ("2147483647", 32, 2**31 - 1),
        ("2147483648", 32, None),
        ("-2147483648", 32, -(2**31)),
        ("9223372036854775807", 64, 2**63 - 1),
        ("9223372036854775808", 64, None),
        ("0" * 5_000 + "7", 32, 7),
        ("9" * 5_000, 64, None),
        *(
            (text, 64, None)
            for text in ("", " 1", "1 ", "1\n", "1_0", "²", "٢", "1.0", "1e3", "0x1", "+", "--1")
        ),
    ],
)
def test_whole_number(text: str, bits: int, value: int | None) -> None:
    assert whole_number(text, bits) == value
    assert above_zero(text, bits) == (value if value and value > 0 else None)


@pytest.mark.parametrize(
    ("text", "is_it"), [("0", True), ("9" * 5_000, True), ("", False), ("²", False), ("٢", False)]
)
def test_is_digits(text: str, is_it: bool) -> None:
    assert is_digits(text) is is_it


@pytest.mark.parametrize(
    ("name", "size"), [*((name, None) for name in NUMBERS if name != "a sign"), ("a sign", 1)]
)
def test_the_size_of_a_group(name: str, size: int | None) -> None:
    marks = {"annotations": {"kueue.x-k8s.io/pod-group-total-count": NUMBERS[name]}}
    assert read_marks({"kind": "Pod", "metadata": marks}).group_size == size


@pytest.mark.parametrize("text", ["٢s", "9" * 5_000 + "s", "9" * 20 + "h", "1_0s"])
def test_no_duration(text: str) -> None:
    with pytest.raises(InputError):
        seconds(text)


def test_a_selector_beyond_int64_is_refused() -> None:
    with pytest.raises(ApiError):
        match_labels("a>" + "9" * 19)


def test_no_place_is_at_an_index_of_thousands_of_digits() -> None:
    path = "/a/" + "9" * 5_000
    with pytest.raises(ConfigError):
        apply_json({"a": []}, [{"op": "add", "path": path, "value": 1}])
    with pytest.raises(InputError):
        _steps("a[" + "9" * 5_000 + "]")


def test_a_key_of_digits_is_no_index() -> None:
    digits = "9" * 5_000
    value = {"metadata": {"labels": {digits: "x"}}}
    patch = [{"op": "add", "path": pointer("metadata", "labels", digits), "value": {}}]
    assert mended(value, [patch])[0]["metadata"]["labels"] == {digits: {}}


def test_pointers_go_there_and_back() -> None:
    path = ["metadata", "labels", "a.b/c", "x~1y", "0"]
    assert pointer(*path) == "/metadata/labels/a.b~1c/x~01y/0"
    assert path_of(pointer(*path)) == path


def test_the_priority_of_an_event_has_ascii_digits() -> None:
    assert _PRIORITY.search("; preemptor effective priority: ٢") is None


def test_after_which_questions_a_workload_can_never_be_admitted() -> None:
    assert {"namespaceSelector", "limits", "limitRange"} == ASKED_FIRST - BLOCKING
