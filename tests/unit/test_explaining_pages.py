"""What stands on the pages of `explain` and `admit`, and what is cut: tests/cases/explaining/pages.yaml."""

import json
from collections.abc import Iterable, Mapping
from time import process_time
from typing import Any

import pytest

from kubectl_kueue.cluster.files import RawDocument
from kubectl_kueue.engine.explain import explain
from kubectl_kueue.engine.explanation.standing import as_it_stands
from kubectl_kueue.engine.simulate import simulate
from kubectl_kueue.model.decode import decode_world
from kubectl_kueue.model.world import World
from kubectl_kueue.output.layout import lay_out
from kubectl_kueue.views.admit import admit_page
from kubectl_kueue.views.explain import explain_document, explain_page
from kubectl_kueue.views.page import Page
from tests.worlds import read_cases, scenario

CASES = read_cases("explaining", "pages")


def world_of(case: Mapping[str, Any]) -> World:
    document = scenario(case)
    kinds = case.get("without", [])
    document["objects"] = [o for o in document["objects"] if o["kind"] not in kinds]
    origin = {"origin": "live"} if case.get("live") else {}
    return decode_world([RawDocument("case", 1, 0, json.dumps({**document, **origin}).encode())])


def text(page: Page) -> str:
    return "\n".join("".join(span.text for span in line) for line in lay_out(page))


def missing(wanted: Iterable[str], page: str) -> list[str]:
    return [words for words in wanted if words not in page]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_pages(case: Mapping[str, Any]) -> None:
    world = world_of(case)
    for name, words in case.get("explain", {}).items():
        assert not missing(words, text(explain_page(explain(world, f"default/{name}"), trace=True)))
    run = simulate(as_it_stands(world))
    assert not missing(case.get("admit", []), text(admit_page(run, case.get("keys"))))


def test_namespaces_that_were_not_read_are_not_passed() -> None:
    case = {"queues": {"a": {"quota": 4}}, "pending": {"p": {"queue": "a", "asks": 1}}}
    states = []
    for without in ([], ["Namespace"]):
        verdict = explain(world_of({**case, "live": True, "without": without}), "default/p")
        gate = verdict.gate("namespaceSelector")
        states.append(str(gate.state) if gate else "")
    assert states == ["passed", "unknown"]


def test_a_page_is_cut_and_a_document_is_not() -> None:
    pod_sets = {f"p{i}": {"asks": 1} for i in range(60)}
    cohorts = {"c0": {}, **{f"c{i}": {"parent": f"c{i - 1}"} for i in range(1, 30)}}
    case = {
        "cohorts": cohorts,
        "queues": {"a": {"quota": 4, "cohort": "c29"}},
        "pending": {"p": {"queue": "a", "podSets": pod_sets}},
    }
    verdict = explain(world_of(case), "default/p")
    page = text(explain_page(verdict, trace=True))
    wanted = [
        "and 36 more rows (-o json lists all)",
        "-> cohort c24 -> … and 23 more -> cohort c0",
        "and 40 more",
    ]
    assert not missing(wanted, page)
    assert page.count("can never") + page.count("own quota 4") == 2
    document = explain_document(verdict)
    assert (len(document["table"]), len(document["queue"]["cohorts"])) == (60, 30)


def test_uncovered_resources_take_time_in_proportion() -> None:
    def seconds(number: int) -> float:
        asks = {f"example.com/r{i}": 1 for i in range(number)}
        case = {"queues": {"a": {"quota": 4}}, "pending": {"p": {"queue": "a", "asks": asks}}}
        world = world_of(case)
        before = process_time()
        assert len(explain_document(explain(world, "default/p"))["gates"]) > 10
        return process_time() - before

    seconds(10)
    assert seconds(1200) < 12 * seconds(300) + 0.2
