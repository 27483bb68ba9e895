"""Cases of `lint`, written short: tests/cases/lint.

An object is `{use: BASE, …}`: that of bases.yaml with the other fields merged into it. Shorter still are
`{quota: {…}}` (a ClusterQueue with one resource, cpu unless it says `name`), `{two: [f, g]}` (one with two
flavors; `sizes` are their cpu), `{entries: [flavors, resources]}` and `{notes: {…}}` (a Job with annotations
of Kueue on its pods). `around` are objects of the cluster, `whole`: there are no others.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import yaml

from kubectl_kueue.lint.items import item_of
from kubectl_kueue.lint.run import Finding, lint
from kubectl_kueue.lint.scene import Scene
from kubectl_kueue.model.patches import apply_merge
from tests.worlds import CASES, read_cases

Object = dict[str, Any]
TOPICS = ("fields", "quota", "queues", "flavors", "workloads", "jobs")
BASES: Mapping[str, Object] = yaml.safe_load((CASES / "lint" / "bases.yaml").read_text())


def lint_cases() -> list[dict[str, Any]]:
    """Every case, with a name."""
    cases = read_cases("lint", *TOPICS)
    return [{**case, "name": f"{case['rule']}, {case.get('name', 'plain')}"} for case in cases]


def objects(shorts: Sequence[Mapping[str, Any]]) -> list[Object]:
    """The objects that are meant."""
    return [expand(dict(short)) for short in shorts]


def expand(short: Object) -> Object:
    short = deepcopy(short)
    base = BASES[short.pop("use", "job" if "notes" in short else "queue")]
    if (quota := short.pop("quota", None)) is not None:
        groups = [group([quota.get("name", "cpu")], [("f", [{"name": "cpu", **quota}])])]
        short.setdefault("spec", {})["resourceGroups"] = groups
    if (two := short.pop("two", None)) is not None:
        sizes = short.pop("sizes", [10, 10])
        flavors = [
            (name, [{"name": "cpu", "nominalQuota": size}]) for name, size in zip(two, sizes, strict=True)
        ]
        short.setdefault("spec", {})["resourceGroups"] = [group(["cpu"], flavors)]
    if (entries := short.pop("entries", None)) is not None:
        resources = [f"r{index}" for index in range(entries[1])]
        quotas = [{"name": name, "nominalQuota": 1} for name in resources]
        flavors = [(f"f{index}", quotas) for index in range(entries[0])]
        short.setdefault("spec", {})["resourceGroups"] = [group(resources, flavors)]
    if (notes := short.pop("notes", None)) is not None:
        annotations = {f"kueue.x-k8s.io/{name}": value for name, value in notes.items()}
        short["spec"] = {"template": {"metadata": {"annotations": annotations}}}
    merged: Object = apply_merge(base, short)
    return merged


def group(covered: Sequence[str], flavors: Sequence[tuple[str, list[Object]]]) -> Object:
    listed = [{"name": name, "resources": resources} for name, resources in flavors]
    return {"coveredResources": list(covered), "flavors": listed}


def find(own: Sequence[Object], around: Sequence[Object] = (), *, whole: bool = False) -> list[Finding]:
    """All findings about the objects."""
    items = [item_of(value, number, "default") for number, value in enumerate(own)]
    outside = [item_of(value, -1, "default") for value in around]
    settings = next((value for value in own if value["kind"] == "Configuration"), None)
    return list(lint(Scene(items, outside, whole=whole, settings=settings)))
