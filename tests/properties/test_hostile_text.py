"""What comes from outside, as text: any of it is a value or one line of error, and fast."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

import msgspec
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kubectl_kueue.cluster.files import documents_in
from kubectl_kueue.errors import KueueError
from kubectl_kueue.model.change import apply_changes, parse_change
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.quantity import MAX_INT64, MIN_INT64, nanos, request
from kubectl_kueue.output.jsonpath import render
from kubectl_kueue.output.text import HOSTILE, visible, visible_lines
from tests.reliability.cells import run, sane
from tests.reliability.hostile import ESCAPE, items, world

SECONDS = 5.0
ANY = st.text(max_size=60)


def told(read: Callable[..., Any], *arguments: Any) -> Any:
    """What the function returns, or its KueueError; anything else is a bug, and so is slowness."""
    started = time.monotonic()
    try:
        return read(*arguments)
    except KueueError as error:
        return error
    finally:
        assert time.monotonic() - started < SECONDS


# --- quantities -----------------------------------------------------------------------------------


@given(
    ANY
    | st.from_regex(r"[-+]?[0-9]{0,30}\.?[0-9]{0,30}([eE][-+]?[0-9]{0,12}|[numkMGTPE]i?)?", fullmatch=True)
)
@example("1e999999")
@example("1E-999999999")
@example("1e" + "9" * 1000)
@example("9" * 100_000)
@example("0." + "0" * 100_000 + "1")
@example("1" + "0" * 100_000 + "e-100000")
@example("NaN")
@example("-Inf")
@example("0x10")
@example("\uff11")
@example(ESCAPE)
def test_a_quantity(text: str) -> None:
    found = told(nanos, text)
    assert isinstance(found, int | KueueError)
    for resource in ("cpu", "memory"):
        amount = told(request, resource, text)
        assert isinstance(amount, KueueError) or MIN_INT64 <= amount <= MAX_INT64


# --- files ----------------------------------------------------------------------------------------

GOOD = items(world())
PLACES = [match.span() for match in re.finditer(rb'"[^"]*"|[0-9]+|null|true|[\[\]{},:]', GOOD)]
SCRAPS = st.sampled_from(
    [
        b"",
        b"null",
        b"{}",
        b"[]",
        b"-1",
        b"1e999",
        b"NaN",
        b'"\\ud800"',
        b'"\xff"',
        b"\0",
        b"[" * 50_000,
        b'"x":1,',
        b'"kind":"List"',
    ]
) | st.binary(max_size=20)


WORLD = decode_world(documents_in("x", GOOD))


def read(data: bytes) -> Any:
    return decode_world(documents_in("x", data))


@given(st.lists(st.tuples(st.sampled_from(PLACES), SCRAPS), min_size=1, max_size=3))
@settings(max_examples=400)
def test_a_snapshot_with_pieces_of_it_changed(changes: list[tuple[tuple[int, int], bytes]]) -> None:
    data = GOOD
    for (start, end), scrap in sorted(changes, reverse=True):
        data = data[:start] + scrap + data[end:]
    told(read, data)


@given(st.binary(max_size=200), st.integers(0, len(GOOD)))
@example(b"\x1f\x8b\x08\0\0\0\0\0\0\x03", 0)
@example(b"---\n&a [*a]\n", 0)
@example(b"? {}: x\n", 0)
@example(b"%YAML 9.9\n---\n", 0)
@example(b"!<tag:yaml.org,2002:python/object:os.system> x\n", 0)
def test_a_snapshot_with_bytes_before_or_in_it(data: bytes, at: int) -> None:
    told(read, data)
    told(read, GOOD[:at] + data + GOOD[at:])


# --- words of the command line ----------------------------------------------------------------------


@given(
    ANY | st.from_regex(r"[a-z]{0,12}/[a-z]{0,5}(\.[a-zA-Z]{1,8}|\[[^\]]{0,6}\]){0,4}=.{0,8}", fullmatch=True)
)
@example("cq/q.resourceGroups[0].flavors[0].resources[0].nominalQuota=" + "9" * 100_000)
@example("cq/q." + "a." * 20_000 + "=1")
@example("cq/q" + "[" * 50_000)
@example("cq/q.a=" + "[" * 50_000)
@example("cq/q.a=" + '{"a":' * 50_000)
@example("cq/q.a=1e999")
@example(ESCAPE)
def test_a_change(text: str) -> None:
    change = told(parse_change, text, lambda word: "ClusterQueue")
    if not isinstance(change, KueueError):
        told(apply_changes, WORLD, [change])


@given(ANY | st.text("cpu:=;,fm0123456789.Gi ", max_size=40))
@settings(max_examples=50)
@example("f:" + "cpu=1;" * 10_000)
@example(":" * 10_000)
@example("f:cpu=1e999999")
@example(ESCAPE)
def test_quotas_of_create(text: str) -> None:
    flag = f"--nominal-quota={text}".replace("\0", "")
    finished = run(
        "create", "clusterqueue", "x", flag, "--dry-run", "client", "-o", "json", "--kubeconfig", "/dev/null"
    )
    sane(finished)
    assert finished.code or json.loads(finished.stdout)["kind"] == "ClusterQueue"


# --- jsonpath -------------------------------------------------------------------------------------


@given(ANY | st.text("{}[]().$@?*'\"<>=!&| abc0129-:,\\", max_size=40))
@example("{" * 20_000)
@example("{range " * 5_000)
@example("{.a" + "[0]" * 20_000 + "}")
@example("{" + ".." * 10_000 + "}")
@example("{.items[?(" + "(" * 5_000 + ")]}")
@example("{.a[" + "9" * 10_000 + "]}")
@example("{.a[0:10:0]}")
@example(ESCAPE)
def test_a_path(text: str) -> None:
    value = {"a": [1, 2, {"b": "c"}], "items": [{"a": "x"}, {"a": None}]}
    told(render, text, value)


# --- what a terminal is shown -----------------------------------------------------------------------


@given(st.text(max_size=80))
@example(ESCAPE)
def test_nothing_that_a_terminal_obeys(text: str) -> None:
    assert not re.search(HOSTILE, visible(text))
    assert not re.search(HOSTILE, visible_lines(text).replace("\n", "").replace("\t", ""))
    if text.isprintable():
        assert visible(text) == text
    json.dumps(msgspec.json.decode(msgspec.json.encode(visible(text))))
