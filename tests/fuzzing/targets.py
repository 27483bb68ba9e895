"""The targets: name -> what is done with the bytes. A KueueError is an answer, anything else is a crash."""

import io
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import jsonpatch
import msgspec

from kubectl_kueue.cluster.connection import Connection, parse_timeout
from kubectl_kueue.cluster.files import documents_in, read_source
from kubectl_kueue.cluster.kinds import known_kind
from kubectl_kueue.cluster.kubeconfig import entry_names, find_login
from kubectl_kueue.cluster.yaml_edit import patch_text
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.errors import ConfigError, KueueError
from kubectl_kueue.lint.items import is_object, item_of
from kubectl_kueue.lint.mend import mended
from kubectl_kueue.lint.run import Finding, lint
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.model.canonical import canonical_quantity
from kubectl_kueue.model.change import apply_changes, parse_change
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.duration import seconds
from kubectl_kueue.model.map_syntax import read_list, read_map
from kubectl_kueue.model.quantity import MAX_INT64, MIN_INT64, nanos, quota, request
from kubectl_kueue.model.quota_syntax import read_quotas
from kubectl_kueue.model.selectors import match_fields, match_labels
from kubectl_kueue.model.taint_syntax import read_taints, read_tolerations
from kubectl_kueue.model.timestamp import check_time
from kubectl_kueue.model.world import World
from kubectl_kueue.output.custom_columns import column_lines, parse_column_file, parse_columns
from kubectl_kueue.output.go_template import render_template
from kubectl_kueue.output.go_text import json_text, plain_text
from kubectl_kueue.output.jsonpath import render
from kubectl_kueue.views.verdict import verdict_document
from kubectl_kueue.views.words.lint.sentences import advice, says
from tests.conformance.soak import _deterministic, _undone, _usage
from tests.fuzzing.drawn import SCALARS, Drawn, spoilt
from tests.lint_cases import BASES, lint_cases, objects
from tests.properties.engine_worlds import plan_of, short
from tests.reliability.hostile import items, world
from tests.worlds import CASES, read_cases, scenario

Target = Callable[[bytes], None]


def told(read: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
    """What the function returns, or its KueueError."""
    try:
        return read(*arguments, **named)
    except KueueError as error:
        return error


def _good(found: Any) -> bool:
    return not isinstance(found, KueueError)


# --- texts ------------------------------------------------------------------------------------------


def _quantity(data: bytes) -> None:
    text = data.decode(errors="replace")
    value = told(nanos, text)
    assert isinstance(value, int | KueueError)
    for resource in ("cpu", "memory", "example.com/gpu"):
        for read in (request, quota):
            amount = told(read, resource, text)
            assert isinstance(amount, KueueError) or MIN_INT64 <= amount <= MAX_INT64
    again = told(canonical_quantity, text)
    if _good(again) and abs(value) < MAX_INT64:
        assert nanos(again) == value, again
    for read in (seconds, check_time, parse_timeout):
        told(read, text)


def _quotas(data: bytes) -> None:
    text = data.decode(errors="replace")
    elements = told(read_list, "nominal-quota", [text])
    if not _good(elements):
        return
    half = len(elements) // 2
    told(read_quotas, elements, (), ())
    told(read_quotas, elements[:half], elements[half:], ())
    told(read_quotas, elements[:half], (), elements[half:])
    told(read_taints, elements)
    told(read_tolerations, elements)
    told(read_map, "node-labels", [text])


def _set(data: bytes) -> None:
    change = told(parse_change, data.decode(errors="replace"), _kind)
    if _good(change):
        after = told(apply_changes, _small_world(), [change], namespace="ns")
        assert isinstance(after, World | KueueError)


def _kind(word: str) -> str:
    kind = known_kind(word)
    if kind is None:
        raise ConfigError(f"no kind {word}")
    return kind.kind


@cache
def _small_world() -> World:
    return decode_world(documents_in("x", items(world(cohort="c"))))


def _selectors(data: bytes) -> None:
    text = data.decode(errors="replace")
    for labels in ({}, {"app": "web", "tier": ""}, {"shard": "7", "app": "9" * 30}):
        if _good(match := told(match_labels, text)):
            assert match(labels) in (True, False)
    fields = {"metadata.name": "x", "metadata.namespace": "y"}
    if _good(match := told(match_fields, text, fields)):
        assert match(lambda path: fields[path]) in (True, False)


def _jsonpath(data: bytes) -> None:
    text = data.decode(errors="replace")
    value = json.loads(_case("output/jsonpath")["data"]["odd"])
    for missing in (True, False):
        for as_json in (True, False):
            told(render, text, value, allow_missing=missing, as_json=as_json)
    for read in (parse_columns, parse_column_file):
        if _good(columns := told(read, text)):
            told(lambda: list(column_lines(columns, value)))


@cache
def _case(name: str) -> Any:
    import yaml

    return yaml.safe_load((CASES / f"{name}.yaml").read_text())


# --- files ------------------------------------------------------------------------------------------


def _snapshot(data: bytes) -> None:
    documents = told(read_source, "-", io.BytesIO(data))
    if _good(documents):
        told(decode_world, documents)


def _decode(data: bytes) -> None:
    drawn = Drawn(data)
    document = spoilt(drawn.one_of(_worlds()), drawn, drawn.randint(1, 6))
    told(lambda: decode_world(documents_in("x", json.dumps(document).encode())))


@cache
def _worlds() -> Sequence[Any]:
    """Snapshots of the cases that hold much of what there is."""
    names = (
        "cycle/partial",
        "placing/usage",
        "devices/scheduling",
        "admission_fair_sharing/worlds",
        "lifecycle/runs",
    )
    names += ("preemption/examples", "fair_sharing/tournament", "placing/second_pass", "queues/requeue")
    shorts = [case for name in names for case in read_cases(*name.split("/"))]
    found = [scenario(case) for case in shorts[::2]]
    return [*(each for each in found if len(each["objects"]) > 3), {"objects": world(cohort="c")}]


def _kubeconfig(data: bytes) -> None:
    with tempfile.NamedTemporaryFile("wb") as file:
        file.write(data)
        file.flush()
        for flags in ({}, {"context": "one"}, {"user": "u", "cluster": "c"}):
            told(find_login, Connection(kubeconfig=file.name, **flags))
        for section in ("contexts", "clusters", "users"):
            told(entry_names, Connection(kubeconfig=file.name), section)


# --- lint -------------------------------------------------------------------------------------------


def _lint(data: bytes) -> None:
    """What is said has words, and what can be mended is other than it was, and then can be looked at, too."""
    drawn = Drawn(data)
    chosen = [drawn.one_of(_manifests()) for _ in range(drawn.randint(1, 6))]
    values = [spoilt(each, drawn, drawn.randint(0, 3)) for each in chosen]
    around = [drawn.one_of(_manifests()) for _ in range(drawn.randint(0, 6))]
    whole, recorded = drawn.random() < 0.5, drawn.random() < 0.5
    values, around = (_as_read(each) for each in (values, around))
    settings = drawn.one_of([None, {}, *SCALARS[-3:], {"integrations": drawn.one_of(SCALARS)}, *values])
    settings = settings if isinstance(settings, dict) else None
    for _ in range(2):
        found = _findings(values, around if recorded else [], whole, settings)
        values = _mended(values, found)


def _as_read(values: Sequence[Any]) -> list[Any]:
    read = told(documents_in, "x", json.dumps(values).encode())
    return msgspec.json.decode(read[0].content) if _good(read) and read else []


@cache
def _manifests() -> Sequence[Any]:
    keys = ("fails", "passes", "around")
    shorts = [short for case in lint_cases() for key in keys for short in case.get(key, ())]
    return [*BASES.values(), *objects(shorts)]


def _findings(values: Sequence[Any], around: Sequence[Any], whole: bool, settings: Any) -> list[Finding]:
    own = [item_of(value, index, "default") for index, value in enumerate(values) if is_object(value)]
    outside = [item_of(value, -1, "default") for value in around if is_object(value)]
    found = list(lint(Scene(own, outside, whole=whole, settings=settings)))
    for each in found:
        if each.found.rule != "defined-twice":
            assert says(each.found)
            advice(each.found)
    return found


def _mended(values: Sequence[Any], found: Sequence[Finding]) -> list[Any]:
    after = list(values)
    for each in found:
        if each.found.patch:
            value, made = mended(each.item.value, [each.found.patch])
            assert made
            assert value != each.item.value
            after[each.item.number] = value
    return after


def _mend(data: bytes) -> None:
    """A manifest in which everything is mended is what the patches make of its values."""
    documents = told(documents_in, "x", data)
    if not _good(documents):
        return
    values = [msgspec.json.decode(each.content) for each in documents]
    patches: dict[int, list[Any]] = {}
    after = list(values)
    for each in _findings(values, [], False, None):
        if each.found.patch:
            index = each.item.number
            after[index], made = mended(after[index], [each.found.patch])
            patches.setdefault(documents[index].index, []).extend(made)
    text = told(patch_text, data.decode(errors="replace"), "x", patches) if patches else KueueError()
    if _good(text):
        again = [msgspec.json.decode(each.content) for each in documents_in("x", text.encode())]
        assert again == after


# --- the engine -------------------------------------------------------------------------------------


def _engine(data: bytes) -> None:
    """Usage adds up, what is undone is as it was, and the same world ends the same."""
    drawn = Drawn(data)
    plan = plan_of(drawn, None)
    mode = drawn.one_of(["cycle", "until-idle"])
    for relation in (_deterministic, _usage, _undone):
        relation(plan, mode, drawn)


def _strange_engine(data: bytes) -> None:
    """Worlds that are not only random but odd."""
    drawn = Drawn(data)
    base = scenario(short(plan_of(drawn, None))) if drawn.random() < 0.5 else drawn.one_of(_worlds())
    document = {**spoilt(base, drawn, drawn.randint(1, 4)), "maxCycles": 5}
    first = told(_verdict, document)
    assert _good(first) == _good(again := told(_verdict, document))
    assert not _good(first) or first == again


def _verdict(document: Any) -> bytes:
    found = decode_world(documents_in("x", json.dumps(document).encode()))
    run = simulate(found)
    snapshot = run.state.snapshot
    nodes = [*snapshot.queues.values(), *snapshot.cohorts.values()]
    before = [dict(node.usage) for node in nodes]
    mark = snapshot.mark()
    for info in [info for queue in snapshot.queues.values() for info in queue.workloads.values()]:
        snapshot.take_out(info)
    snapshot.undo(mark)
    assert [dict(node.usage) for node in nodes] == before
    return msgspec.json.encode(verdict_document(run))


# --- templates --------------------------------------------------------------------------------------


class _Finished(NamedTuple):
    stdout: bytes
    stderr: bytes = b""
    code: int = 0


def _template(data: bytes) -> None:
    """What kubectl's template gets to see is the document, whatever its fields are called."""
    drawn = Drawn(data)
    document = {str(drawn.one_of(SCALARS)): drawn.one_of(SCALARS) for _ in range(drawn.randint(0, 5))}
    document = spoilt({"kind": "List", "items": drawn.one_of(_manifests()), **document}, drawn, 3)
    read = _as_read([document])
    if read and isinstance(read[0], dict):
        told(render_template, drawn.left(), read[0], lambda words, sent: _patched(words, sent, read[0]))
        for render_text in (plain_text, json_text):
            assert isinstance(render_text(read[0]), str)


def _patched(words: Sequence[str], sent: bytes, document: Any) -> _Finished:
    patch = json.loads(next(each for each in words if each.startswith("--patch=")).partition("=")[2])
    seen = jsonpatch.apply_patch(json.loads(sent), patch)
    wanted = {"kind": "Answer", **document}
    assert seen == wanted, (seen, wanted)
    return _Finished(b"")


TARGETS: Mapping[str, Target] = {
    "quantity": _quantity,
    "snapshot": _snapshot,
    "decode": _decode,
    "jsonpath": _jsonpath,
    "quotas": _quotas,
    "set": _set,
    "lint": _lint,
    "mend": _mend,
    "engine": _engine,
    "strange-engine": _strange_engine,
    "template": _template,
    "kubeconfig": _kubeconfig,
    "selectors": _selectors,
}


def tokens() -> Iterator[str]:
    """Words that a fuzzer may put in: names of fields, signs of the small languages."""
    yield from (
        "apiVersion",
        "kind",
        "metadata",
        "items",
        "objects",
        "List",
        "kueue.x-k8s.io/v1beta2",
        "spec",
    )
    yield from ("{range ", "{end}", "[?(@.", "..", "[*]", " notin (", " in (", "cq/q:", "nominalQuota", "+=")
    yield from ("&a", "*a", "<<", "!!", "---", "|-", ">+", "null", "e999999", "Gi", "\\", "%")
    yield from ("contexts", "clusters", "users", "current-context", "exec", "certificate-authority-data")
