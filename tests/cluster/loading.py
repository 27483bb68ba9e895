"""Puts objects into an API server: those of a YAML file, or those that were read from another cluster."""

import json
import re
import time
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.cluster.apiserver import ApiServer, Refused

Object = dict[str, Any]

FIRST = ("Namespace", "PriorityClass", "CustomResourceDefinition")
SYSTEM = re.compile(r"kube-|system-|default$|kubernetes$")
UID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")

SERVERS_OWN = (
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "managedFields",
    "selfLink",
    "finalizers",
)
"""Fields of metadata that the server fills in. A finalizer would wait for a controller that does not run."""


def read_world(file: Path) -> list[Object]:
    """The objects of a YAML file, lists taken apart."""
    return [item for document in yaml.safe_load_all(file.read_text()) for item in _items(document)]


def read_dump(folder: Path) -> list[Object]:
    """The objects of a folder with a `kubectl get -o json` for each kind, except those of the system and
    the events that are not about Workloads."""
    files = sorted(folder.glob("*.json"))
    items = [item for file in files for item in _items(json.loads(file.read_text()))]
    return [item for item in items if _matters(item)]


def load(server: ApiServer, objects: Iterable[Object]) -> None:
    """Create objects, owners before what they own, each with its status.

    The server gives new uids; wherever an object names an old one of another, it gets the new one.
    """
    uids: dict[str, str] = {}
    waiting = sorted(objects, key=lambda item: item["kind"] not in FIRST)
    while waiting:
        missing = {item["metadata"].get("uid") for item in waiting}
        ready = [item for item in waiting if not missing & _owners(item)] or waiting
        for item in ready:
            old = item["metadata"].get("uid")
            new = _create(server, _renamed(item, uids))
            if old and new:
                uids[old] = new["metadata"]["uid"]
        waiting = [item for item in waiting if not any(item is other for other in ready)]


def path_of(server: ApiServer, item: Object) -> str:
    """Where the server has an object."""
    return f"{_place(server, item)[0]}/{item['metadata']['name']}"


def install(server: ApiServer, definitions: Iterable[Object]) -> None:
    """Create CustomResourceDefinitions and wait until discovery shows all that they serve."""
    base = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    served = set()
    for crd in definitions:
        spec = server.call("POST", base, crd)["spec"]
        served |= {(spec["group"], version["name"], spec["names"]["plural"]) for version in spec["versions"]}
    deadline = time.monotonic() + 30
    while absent := [place for place in served if not _is_served(server, *place)]:
        if time.monotonic() > deadline:
            raise RuntimeError(f"not served: {absent}")
        time.sleep(0.05)


def _is_served(server: ApiServer, group: str, version: str, plural: str) -> bool:
    found = server.find(f"/apis/{group}/{version}") or {"resources": []}
    return any(resource["name"] == plural for resource in found["resources"])


def _items(document: Object | None) -> list[Object]:
    if document is None:
        return []
    return list(document["items"]) if document["kind"].endswith("List") else [document]


def _matters(item: Object) -> bool:
    if item["kind"] in ("APIService", "Service") or SYSTEM.match(item["metadata"].get("namespace", "")):
        return False
    return item["kind"] != "Event" or bool(item["involvedObject"]["kind"] == "Workload")


def _owners(item: Object) -> set[str]:
    return {owner["uid"] for owner in item["metadata"].get("ownerReferences", ())}


def _renamed(item: Object, uids: Mapping[str, str]) -> Object:
    text = UID.sub(lambda match: uids.get(match[0], match[0]), json.dumps(item))
    renamed: Object = json.loads(text)
    return renamed


def _create(server: ApiServer, item: Object) -> Object | None:
    """The object as the server stored it; None where the server has its own of that name."""
    status = item.pop("status", None)
    metadata = item["metadata"]
    for field in SERVERS_OWN:
        metadata.pop(field, None)
    _fit(item)
    path, has_status = _place(server, item)
    try:
        stored: Object = server.call("POST", path, item)
    except Refused as refusal:
        if refusal.status == 409 and SYSTEM.match(metadata["name"]):
            return None
        raise
    if status and has_status:
        stored = server.call("PUT", f"{path}/{metadata['name']}/status", {**stored, "status": status})
    return stored


def _fit(item: Object) -> None:
    """Take out what only the server or a controller may write."""
    spec = item.get("spec", {})
    if item["kind"] == "Job" and not spec.get("manualSelector"):
        spec.pop("selector", None)
        labels = spec["template"].get("metadata", {}).get("labels", {})
        for label in [label for label in labels if label.endswith(("controller-uid", "job-name"))]:
            del labels[label]
    if item["kind"] == "Pod":
        spec.pop("priority", None)
        spec.pop("serviceAccountName", None)
    if item["kind"] == "Event":
        item["metadata"].setdefault("namespace", "default")


def _place(server: ApiServer, item: Object) -> tuple[str, bool]:
    """The path of the collection of an object, and whether its kind has a status of its own."""
    version = item["apiVersion"]
    root = f"/apis/{version}" if "/" in version else f"/api/{version}"
    plural, namespaced, has_status = _kinds(server, root)[item["kind"]]
    if namespaced:
        root += f"/namespaces/{item['metadata']['namespace']}"
    return f"{root}/{plural}", has_status


@cache
def _kinds(server: ApiServer, root: str) -> dict[str, tuple[str, bool, bool]]:
    """By kind: the plural, whether namespaced, whether with a status, as discovery has it."""
    resources = {resource["name"]: resource for resource in server.call("GET", root)["resources"]}
    return {
        resource["kind"]: (plural, resource["namespaced"], f"{plural}/status" in resources)
        for plural, resource in resources.items()
        if "/" not in plural
    }
