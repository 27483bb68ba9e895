"""Quotas as they stand on a command line: `flavor:resource=amount;resource=amount`, several with commas.

Three flags (nominal quotas, borrowing limits, lending limits) become resource groups as in kueuectl:
elements merge by flavor, and flavors that have the same resources share a group. What kueuectl drops in
silence (a limit for a resource that the flavor does not have) is an error here, and a group overlaps another
if it shares a resource with it, not if the names look alike.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from kubectl_kueue.errors import ConfigError, InputError
from kubectl_kueue.model.canonical import canonical_quantity, is_zero

_PART = r"[A-Za-z0-9_](?:[-.A-Za-z0-9_]*[A-Za-z0-9_])?"
_AMOUNT = r"[.A-Za-z0-9_]+(?:(?<=[eE])[-+][0-9]+)?"
_PAIR = rf"{_PART}(?:/{_PART})?={_AMOUNT}"
_ELEMENT = re.compile(rf"([a-z0-9][-.a-z0-9]{{0,252}}):({_PAIR}(?:;{_PAIR})*);?", re.ASCII)

Quota = dict[str, str]
"""nominalQuota, borrowingLimit, lendingLimit: those that are given."""


class Groups(NamedTuple):
    """`spec.resourceGroups`, and what was given but does not count, in words."""

    groups: list[dict[str, Any]]
    ignored: Sequence[str]


def read_quotas(nominal: Iterable[str], borrowing: Iterable[str], lending: Iterable[str]) -> Groups:
    """The resource groups that the elements of the three flags make. Raises ConfigError."""
    flavors: dict[str, dict[str, Quota]] = {}
    ignored: list[str] = []
    for field, elements in (
        ("nominalQuota", nominal),
        ("borrowingLimit", borrowing),
        ("lendingLimit", lending),
    ):
        for element in elements:
            flavor, amounts = _read_element(element)
            quotas = flavors.setdefault(flavor, {resource: {} for resource in amounts})
            _merge(flavor, quotas, field, amounts, ignored)
    return Groups(_group(flavors), ignored)


def _read_element(element: str) -> tuple[str, dict[str, str]]:
    match = _ELEMENT.fullmatch(element)
    if match is None:
        raise ConfigError("invalid resources specification")
    amounts: dict[str, str] = {}
    for pair in match[2].split(";"):
        resource, _, amount = pair.partition("=")
        if resource in amounts:
            raise ConfigError(f"invalid resource quota: {resource} stands twice in {element}")
        try:
            amounts[resource] = canonical_quantity(amount)
        except InputError:
            raise ConfigError("invalid resource quota") from None
    return match[1], amounts


def _merge(
    flavor: str, quotas: dict[str, Quota], field: str, amounts: Mapping[str, str], ignored: list[str]
) -> None:
    """The first element of a flavor says which resources it has; what a later one repeats does not count."""
    if not quotas.keys() <= amounts.keys():
        raise ConfigError("invalid flavor")
    for resource, amount in amounts.items():
        quota = quotas.get(resource)
        if quota is None:
            only = ", ".join(quotas)
            raise ConfigError(f"invalid flavor: {flavor} has no quota for {resource}, only {only}")
        present = quota.get(field)
        if present is None or (field == "nominalQuota" and is_zero(present)):
            quota[field] = amount
        elif present != amount:
            ignored.append(f"{field} of {flavor}:{resource} is {present}; {amount} is ignored")


def _group(flavors: Mapping[str, Mapping[str, Quota]]) -> list[dict[str, Any]]:
    groups: list[dict[str, Any]] = []
    for flavor, quotas in flavors.items():
        group = next((one for one in groups if set(one["coveredResources"]) == quotas.keys()), None)
        if group is None:
            if any(quotas.keys() & set(one["coveredResources"]) for one in groups):
                raise ConfigError("invalid resource group")
            group = {"coveredResources": list(quotas), "flavors": []}
            groups.append(group)
        # The API server wants the order of the group in every flavor.
        order = group["coveredResources"]
        resources = [{"name": name, "nominalQuota": "0", **quotas[name]} for name in order]
        group["flavors"].append({"name": flavor, "resources": resources})
    return groups
