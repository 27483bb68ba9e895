"""`doctor`, check by check: tests/cases/doctor. Everything that is not "ok" is named by a case."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.doctor.certificate import expiries
from kubectl_kueue.doctor.evidence import Evidence
from kubectl_kueue.doctor.examine import CHECKS, GROUPS, examine, selected
from kubectl_kueue.doctor.finding import Finding, Status
from kubectl_kueue.doctor.installation import CONVERTED, CRDS
from kubectl_kueue.doctor.prometheus import samples
from kubectl_kueue.errors import ConfigError
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.views.doctor import SCHEMA_VERSION, doctor_document, doctor_page
from kubectl_kueue.views.words.doctor.sentences import WORDS, diagnosis, next_steps
from tests.conftest import REPOSITORY, Kueue
from tests.reports.reports import all_reports
from tests.worlds import CASES as CASES_FOLDER
from tests.worlds import merged, read_cases, scenario

GROUP = "kueue.x-k8s.io"
CASES = [case for group in GROUPS for case in read_cases("doctor", group)]
REPORTS = yaml.safe_load((CASES_FOLDER / "doctor" / "reports.yaml").read_text())


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_check(case: Mapping[str, Any]) -> None:
    evidence = evidence_of(case)
    findings = examine(evidence, selected([case["check"]]))
    bad = [finding for finding in findings if finding.status is not Status.OK]
    assert [seen_of(f, w) for f, w in zip(bad, case.get("finds", []), strict=False)] == case.get("finds", [])
    assert len(bad) == len(case.get("finds", []))
    assert [f.code for f in findings if f.status is Status.OK] == ([case["well"]] if "well" in case else [])
    for finding in findings:
        assert finding.check == case["check"]
        assert diagnosis(finding)
    assert list(lay_out(doctor_page(findings, evidence), width=80))
    json.dumps(doctor_document(findings, evidence).data)


def seen_of(finding: Finding, wanted: Mapping[str, Any]) -> dict[str, Any]:
    """What was found, without what the case does not name."""
    whole = {"status": str(finding.status), "code": finding.code, "object": finding.object}
    told = {key: whole[key] for key in wanted if key in whole}
    if "facts" in wanted:
        told["facts"] = {key: finding.facts[key] for key in wanted["facts"]}
        if "causes" in told["facts"]:  # why an object is as it is, is told in its own words
            causes = told["facts"]["causes"]
            told["facts"]["causes"] = [{"code": cause.code, "name": cause.name} for cause in causes]
    if "cause" in wanted:
        told["cause"] = type(finding.facts["absence"].causes[0]).__name__
    return told


def evidence_of(case: Mapping[str, Any]) -> Evidence:
    if "crowd" in case:
        queues = {f"q{n}": {"cohort": "crowd", "quota": 1} for n in range(case["crowd"])}
        case = {**case, "queues": queues}
    document = {**scenario(case), "origin": "live"}
    document["objects"] = [*document["objects"], *definitions(case)]
    objects: dict[str, list[Any]] = {}
    for value in document["objects"]:
        objects.setdefault(value["kind"], []).append(value)
    raw = RawDocument("case", 1, 0, json.dumps(document).encode())
    world = None if case.get("no_world") else decode_world([raw])
    return Evidence(
        now=world.now if world is not None else 0,
        live=case.get("live", False),
        objects=objects,
        missing=case.get("missing", {}),
        partly=case.get("partly", {}),
        world=world,
        configuration=case.get("configuration"),
        conversion=case.get("conversion", {}),
        visibility=case.get("visibility", ""),
        metrics=case.get("metrics", ""),
    )


def definitions(case: Mapping[str, Any]) -> list[dict[str, Any]]:
    """CRDs as v0.19 installs them, except as `crds` says; an empty entry leaves one out."""
    if "crds" not in case:
        return []
    return [
        merged(definition(plural), case["crds"].get(plural) or {})
        for plural in CRDS
        if case["crds"].get(plural, {}) is not None
    ]


def definition(plural: str) -> dict[str, Any]:
    conversion = {"strategy": "Webhook", "webhook": {"clientConfig": {"caBundle": "eA=="}}}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{GROUP}"},
        "spec": {
            "group": GROUP,
            "names": {"plural": plural},
            "versions": [
                {"name": "v1beta1", "served": True, "storage": False},
                {"name": "v1beta2", "served": True, "storage": True},
            ],
            "conversion": conversion if plural in CONVERTED else {"strategy": "None"},
        },
        "status": {"storedVersions": ["v1beta2"], "conditions": [{"type": "Established", "status": "True"}]},
    }


def test_every_code_has_words_and_a_case() -> None:
    source = "".join(path.read_text() for path in (REPOSITORY / "kubectl_kueue" / "doctor").glob("*.py"))
    given_codes = set(re.findall(r'\b(?:ok|warning|error|skipped)\(\s*"([a-z-]+)"', source))
    given_codes |= set(re.findall(r'"((?:holder|stored|webhooks)-[a-z-]+)"', source))
    assert given_codes == set(WORDS)
    named = {found["code"] for case in CASES for found in case.get("finds", [])}
    named |= {case["well"] for case in CASES if "well" in case}
    assert set(WORDS) - named == set()


def test_every_check_has_cases() -> None:
    assert {check.id for check in CHECKS} == {case["check"] for case in CASES}
    assert all(check.look.__doc__ for check in CHECKS)


def test_unread_evidence_is_skipped_not_failed() -> None:
    """Somebody who may read nothing gets no error and no exception."""
    kinds = {kind for check in CHECKS for kind in check.needs}
    kinds |= {"APIService", "CustomResourceDefinition", "Configuration", "conversion", "visibility"}
    findings = examine(Evidence(0, live=True, missing=dict.fromkeys(kinds, "forbidden")))
    assert {finding.status for finding in findings} == {Status.SKIPPED}
    assert {finding.check for finding in findings} == {check.id for check in CHECKS}


JUNK = st.sampled_from(
    [None, "", "x", 7, -1.5, True, [], [None], ["x"], [[]], {}, {"x": None}, [{"name": 3}]]
)


@given(st.data())
def test_junk_in_objects_is_no_end(data: st.DataObject) -> None:
    """Files hold anything: a check finds less in them, but raises nothing."""
    cases = [c for c in CASES if (c.get("objects") or "crds" in c) and not c.get("no_world")]
    case = data.draw(st.sampled_from(cases))
    evidence = evidence_of(case)
    kind = data.draw(st.sampled_from(sorted(evidence.objects)))
    values = json.loads(json.dumps(evidence.objects[kind]))
    paths = [path for n, value in enumerate(values) for path in paths_of(value, [n]) if path[1:]]
    path = data.draw(st.sampled_from(paths))
    junk = data.draw(JUNK)
    if path[-1] in ("apiVersion", "kind"):
        junk = "Junk"
    replace_at(values, path, junk)
    spoilt = msgspec.structs.replace(evidence, objects={**evidence.objects, kind: values})
    findings = examine(spoilt)
    assert list(lay_out(doctor_page(findings, spoilt), width=80))
    json.dumps(doctor_document(findings, spoilt).data)


def paths_of(value: Any, path: list[Any]) -> list[list[Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, each in inner for found in paths_of(each, [*path, key]))]


def replace_at(values: Any, path: list[Any], junk: Any) -> None:
    for key in path[:-1]:
        values = values[key]
    values[path[-1]] = junk


def test_selected() -> None:
    assert [c.id for c in selected(["capacity", "stuck/jobs"])][-1] == "stuck/jobs"
    assert len(selected(["capacity,stuck/jobs"])) == 4
    with pytest.raises(ConfigError, match='no check "capacities"'):
        selected(["capacities"])


# --- reports --------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", REPORTS)
def test_report(number: str, kueue: Kueue) -> None:
    report = next((each for each in all_reports() if each.name.startswith(number)), None)
    if report is None:
        pytest.skip("this report is not here")
    finished = kueue("doctor", "--snapshot", str(report.path), "-o", "json")
    checks = json.loads(finished.stdout)["checks"]
    for status, where, *words in REPORTS[number]:
        told = [
            " ".join([found["message"], found["effect"], *found["next"]])
            for found in checks
            if found["status"] == status and found["object"].startswith(where)
        ]
        assert any(all(word in text for word in words) for text in told), (where, told)
    assert finished.code == (2 if any(found["status"] == "error" for found in checks) else 0)


# --- the command ----------------------------------------------------------------------------------


def test_exit_codes(kueue: Kueue) -> None:
    def code(number: str, *more: str) -> int:
        path = next(each.path for each in all_reports() if each.name.startswith(number))
        return kueue("doctor", "--snapshot", str(path), *more).code

    assert (code("19"), code("24"), code("24", "--strict"), code("20", "--strict")) == (2, 0, 1, 0)
    assert code("19", "--select", "capacity") == 0


def test_document(kueue: Kueue) -> None:
    finished = kueue("doctor", "--snapshot", "examples/snapshot.json", "-o", "json")
    document = json.loads(finished.stdout)
    assert document["schemaVersion"] == SCHEMA_VERSION
    assert sum(document["summary"].values()) == len(document["checks"])
    assert {"check", "status", "code", "object", "message", "effect", "next", "facts"} == set(
        document["checks"][0]
    )


def test_unreadable_objects_end_nothing(kueue: Kueue, tmp_path: Path) -> None:
    file = tmp_path / "world.yaml"
    queue = {"apiVersion": f"{GROUP}/v1beta2", "kind": "ClusterQueue", "metadata": {"name": "a"}}
    file.write_text(yaml.safe_dump({**queue, "spec": {"queueingStrategy": "Sideways"}}))
    finished = kueue("doctor", "--snapshot", str(file))
    assert (finished.code, finished.stderr) == (0, "")
    assert "Sideways" in finished.stdout


def test_the_page_shows_few_of_a_kind() -> None:
    lost = {f"l{n}": {"queue": "nowhere"} for n in range(9)}
    evidence = evidence_of({"queues": {"a": {"quota": 1}}, "localQueues": lost})
    findings = examine(evidence, selected(["configuration/local-queues"]))
    lines = ["".join(s.text for s in line) for line in lay_out(doctor_page(findings, evidence))]
    assert sum(line.startswith("error") for line in lines) == 5
    assert sum("4 more like this" in line for line in lines) == 1
    assert len([f for f in findings if next_steps(f)]) == 9


# --- what is parsed by hand -----------------------------------------------------------------------


@given(st.binary(max_size=200))
def test_no_bytes_confuse_the_reader_of_certificates(content: bytes) -> None:
    from base64 import b64encode

    pem = b"-----BEGIN CERTIFICATE-----\n" + b64encode(content) + b"\n-----END CERTIFICATE-----\n"
    assert expiries(b64encode(pem).decode()) is None
    assert expiries(content.decode("latin-1")) is None


@given(st.text(max_size=200))
def test_no_text_confuses_the_reader_of_metrics(text: str) -> None:
    list(samples(text + '\nkueue_x{a="' + text + '"} 1', {"kueue_x"}))


def test_metrics_with_escapes() -> None:
    text = 'kueue_x{cluster_queue="a\\"b\\\\c",other="1"} 2.0 1700000000\nkueue_y 3'
    assert [(s.labels["cluster_queue"], s.value) for s in samples(text, {"kueue_x"})] == [('a"b\\c', 2.0)]
