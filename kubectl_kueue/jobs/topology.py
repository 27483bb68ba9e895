"""Topology annotations of a pod template -> the topologyRequest of its pod set, or what is wrong with them.

kueuectl.md 6.7 (podSets per kind) and 7.7 (TA01 to TA07).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

from kubectl_kueue.jobs import keys
from kubectl_kueue.jobs.checks import Checks
from kubectl_kueue.jobs.job import PodSetDraft
from kubectl_kueue.jobs.reading import go_bool
from kubectl_kueue.model.labels import is_label_key
from kubectl_kueue.model.whole_number import is_digits, whole_number


def topology_request(draft: PodSetDraft, gates: Mapping[str, bool]) -> dict[str, Any] | None:
    """The request, None without one. A kind with an index label has one even without any annotation."""
    marks = draft.marks
    request = _level(marks)
    grouped = "required" in request or "preferred" in request
    slices = _slices(marks, layers=gates.get("TASMultiLayerTopology", True))
    if not request and not slices and not draft.index_label:
        return None
    if draft.index_label:
        request["podIndexLabel"] = draft.index_label
    if draft.sub_group_label:
        request["subGroupIndexLabel"] = draft.sub_group_label
    if draft.sub_group_count is not None:
        request["subGroupCount"] = draft.sub_group_count
    if grouped and marks.get(keys.POD_SET_GROUP):
        request["podSetGroupName"] = marks[keys.POD_SET_GROUP]
    return {**request, **slices}


def check_topology(drafts: Sequence[PodSetDraft], checks: Checks, *, pairs: bool) -> None:
    """Report what the webhooks refuse; pairs of pod sets are looked at for the kinds that may have them."""
    for draft in drafts:
        _check_levels(draft, checks)
        if keys.SLICE_CONSTRAINTS in draft.marks:
            _check_constraints(draft, checks)
        else:
            _check_slices(draft, checks)
        _check_group(draft, checks)
    if pairs:
        _check_pairs(drafts, checks)


# --- building -------------------------------------------------------------------------------------


def _level(marks: Mapping[str, str]) -> dict[str, Any]:
    if marks.get(keys.REQUIRED):
        return {"required": marks[keys.REQUIRED]}
    if marks.get(keys.PREFERRED):
        return {"preferred": marks[keys.PREFERRED]}
    unconstrained = go_bool(marks.get(keys.UNCONSTRAINED, ""))
    return {} if unconstrained is None else {"unconstrained": unconstrained}


def _slices(marks: Mapping[str, str], *, layers: bool) -> dict[str, Any]:
    if keys.SLICE_CONSTRAINTS in marks and layers:
        found = _constraints(marks[keys.SLICE_CONSTRAINTS])
        return {"podsetSliceRequiredTopologyConstraints": found} if found else {}
    level, size = marks.get(keys.SLICE_REQUIRED), whole_number(marks.get(keys.SLICE_SIZE, ""))
    if not level or size is None:
        return {}
    return {"podSetSliceRequiredTopology": level, "podSetSliceSize": size}


def _constraints(text: str) -> list[dict[str, Any]] | None:
    """The layers that the annotation lists; None if it is not a list of {topology, size}."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
        return None
    layers = [{"topology": each.get("topology"), "size": each.get("size")} for each in found]
    well_typed = all(isinstance(each["topology"], str) and type(each["size"]) is int for each in layers)
    return layers if well_typed else None


# --- rules ----------------------------------------------------------------------------------------


def _check_levels(draft: PodSetDraft, checks: Checks) -> None:
    marks, path = draft.marks, draft.marks_path
    asked = [key for key in (keys.REQUIRED, keys.PREFERRED, keys.UNCONSTRAINED) if key in marks]
    if len(asked) > 1:
        checks.add("TA01", path, given=asked)
    for key in (keys.REQUIRED, keys.PREFERRED, keys.SLICE_REQUIRED):
        if key in marks and not is_label_key(marks[key]):
            checks.add("TA02", (*path, key), value=marks[key])
    if keys.UNCONSTRAINED in marks and go_bool(marks[keys.UNCONSTRAINED]) is None:
        checks.add("TA03", (*path, keys.UNCONSTRAINED), value=marks[keys.UNCONSTRAINED])


def _check_slices(draft: PodSetDraft, checks: Checks) -> None:
    marks, path = draft.marks, draft.marks_path
    has_level, has_size = keys.SLICE_REQUIRED in marks, keys.SLICE_SIZE in marks
    if has_level != has_size:
        given, absent = (
            (keys.SLICE_REQUIRED, keys.SLICE_SIZE) if has_level else (keys.SLICE_SIZE, keys.SLICE_REQUIRED)
        )
        checks.add("TA04", (*path, given), absent=absent)
    if not has_size:
        return
    size = whole_number(marks[keys.SLICE_SIZE])
    if size is None or not 1 <= size <= draft.count:
        checks.add("TA04", (*path, keys.SLICE_SIZE), value=marks[keys.SLICE_SIZE], count=draft.count)


def _check_constraints(draft: PodSetDraft, checks: Checks) -> None:
    marks, path = draft.marks, (*draft.marks_path, keys.SLICE_CONSTRAINTS)
    for other in (keys.SLICE_REQUIRED, keys.SLICE_SIZE, keys.POD_SET_GROUP):
        if other in marks:
            checks.add("TA05", path, excludes=other)
    layers = _constraints(marks[keys.SLICE_CONSTRAINTS])
    if layers is None or not 1 <= len(layers) <= 3:
        checks.add("TA05", path, wanted="a JSON list of 1 to 3 objects with topology and size")
        return
    for layer in layers:
        if not is_label_key(layer["topology"]):
            checks.add("TA05", path, topology=layer["topology"])
        if layer["size"] < 1:
            checks.add("TA05", path, size=layer["size"])
    if len({layer["topology"] for layer in layers}) < len(layers):
        checks.add("TA05", path, wanted="each topology once")
    for before, after in pairwise(layers):
        if after["size"] >= 1 and before["size"] % after["size"]:
            checks.add("TA05", path, size=after["size"], divides=before["size"])
    if layers[0]["size"] > draft.count:
        checks.add("TA05", path, size=layers[0]["size"], count=draft.count)


def _check_group(draft: PodSetDraft, checks: Checks) -> None:
    marks = draft.marks
    if keys.POD_SET_GROUP not in marks:
        return
    path = (*draft.marks_path, keys.POD_SET_GROUP)
    if is_digits(marks[keys.POD_SET_GROUP]):
        checks.add("TA06", path, value=marks[keys.POD_SET_GROUP])
    if keys.REQUIRED not in marks and keys.PREFERRED not in marks:
        checks.add("TA06", path, needs=[keys.REQUIRED, keys.PREFERRED])
    for other in (keys.SLICE_REQUIRED, keys.SLICE_SIZE):
        if other in marks:
            checks.add("TA06", path, excludes=other)


def _check_pairs(drafts: Iterable[PodSetDraft], checks: Checks) -> None:
    groups: dict[str, list[PodSetDraft]] = {}
    for draft in drafts:
        if draft.marks.get(keys.POD_SET_GROUP):
            groups.setdefault(draft.marks[keys.POD_SET_GROUP], []).append(draft)
    for name, members in groups.items():
        path = (*members[0].marks_path, keys.POD_SET_GROUP)
        if len(members) != 2:
            checks.add("TA07", path, group=name, members=len(members))
            continue
        if all(member.count != 1 for member in members):
            checks.add("TA07", path, group=name, counts=[member.count for member in members])
        levels = [(each.marks.get(keys.REQUIRED), each.marks.get(keys.PREFERRED)) for each in members]
        if levels[0] != levels[1]:
            checks.add("TA07", path, group=name, differ=[each.name for each in members])
