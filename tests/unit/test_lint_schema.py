"""The tables of fields: complete for what the model reads, and equal to Kueue's own definitions."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml

from kubectl_kueue.lint.schema.kinds import NEWEST_KINDS, VERSIONS
from kubectl_kueue.lint.schema.shapes import Shape
from kubectl_kueue.model import objects as model

DEFINITIONS = Path(__file__).parents[3] / "shared" / "crds"
CASES = [(version, kind) for version, kinds in VERSIONS.items() for kind in kinds]


@pytest.mark.parametrize("kind", sorted(set(NEWEST_KINDS) & set(dir(model))))
def test_fields_of_the_model_are_known(kind: str) -> None:
    known = {path for path, _ in fields(NEWEST_KINDS[kind])}
    missing = set(struct_fields(getattr(model, kind))) - known - READ_BESIDES
    assert not {path for path in missing if not path.startswith("spec.podSets[].template")}


# ClusterQueue and LocalQueue share the struct of their usage; only the former borrows.
READ_BESIDES = {f"status.{field}[].resources[].borrowed" for field in ("flavorsReservation", "flavorsUsage")}


@pytest.mark.skipif(not DEFINITIONS.exists(), reason="needs Kueue's definitions")
@pytest.mark.parametrize(("version", "kind"), CASES)
def test_tables_are_those_of_the_definitions(version: str, kind: str) -> None:
    definition = read_definition(kind, version)
    assert dict(facts(VERSIONS[version][kind])) == dict(defined_facts(definition))


# --- as comparable facts --------------------------------------------------------------------------


def fields(shape: Shape, path: str = "") -> Iterator[tuple[str, Shape]]:
    for name, field in (shape.fields or {}).items():
        here = f"{path}.{name}" if path else name
        yield here, field
        yield from fields(field, here)
    if shape.item is not None:
        yield f"{path}[]", shape.item
        yield from fields(shape.item, f"{path}[]")


def struct_fields(struct: Any, path: str = "") -> Iterator[str]:
    for field in msgspec.structs.fields(struct):
        here = f"{path}.{field.encode_name}" if path else field.encode_name
        yield here
        for inner, suffix in inner_structs(msgspec.inspect.type_info(field.type)):
            yield from struct_fields(inner, here + suffix)


def inner_structs(info: Any, suffix: str = "") -> Iterator[tuple[type, str]]:
    if isinstance(info, msgspec.inspect.StructType):
        yield info.cls, suffix
    elif isinstance(info, msgspec.inspect.ListType):
        yield from inner_structs(info.item_type, suffix + "[]")
    elif isinstance(info, msgspec.inspect.UnionType):
        for each in info.types:
            yield from inner_structs(each, suffix)


def read_definition(kind: str, version: str) -> dict[str, Any]:
    for file in DEFINITIONS.glob("*.yaml"):
        document = yaml.load(file.read_text(), getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506
        if document["spec"]["names"]["kind"] == kind:
            schemas = {each["name"]: each["schema"] for each in document["spec"]["versions"]}
            found: dict[str, Any] = schemas[version]["openAPIV3Schema"]
            return found
    raise AssertionError(kind)


OPAQUE = ("metadata", "spec.podSets[].template")


def facts(shape: Shape) -> Iterator[tuple[str, Any]]:
    for path, field in fields(shape):
        if path.startswith(OPAQUE):
            continue
        number = field.type == "int"
        least = field.least if not number or field.least not in (-(2**31), -(2**63)) else None
        most = field.most if not number else None
        if field.options:
            most = None
        yield (
            path,
            (
                NAMES.get(field.type, field.type),
                sorted(field.required),
                least or None,
                most,
                sorted(field.options),
                list(field.unique),
                field.syntax,
            ),
        )


NAMES = {
    "int": "integer",
    "text": "string",
    "time": "string",
    "list": "array",
    "bool": "boolean",
    "map": "object",
}


def defined_facts(schema: dict[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, field in schema.get("properties", {}).items():
        here = f"{path}.{name}" if path else name
        if not here.startswith(OPAQUE):
            yield here, defined(field)
            yield from defined_facts(field, here)
    for inner in (schema.get("items"), schema.get("additionalProperties")):
        if isinstance(inner, dict):
            yield f"{path}[]", defined(inner)
            yield from defined_facts(inner, f"{path}[]")


def defined(field: dict[str, Any]) -> Any:
    kind = "quantity" if field.get("x-kubernetes-int-or-string") else field.get("type")
    least = next((field[k] for k in ("minimum", "minLength", "minItems") if k in field), None)
    most = next((field[k] for k in ("maximum", "maxLength", "maxItems", "maxProperties") if k in field), None)
    options = sorted(field.get("enum", []))
    unique = field.get("x-kubernetes-list-map-keys", [])
    if field.get("x-kubernetes-list-type") == "set":
        unique = [""]
    if any(
        "size(self.filter(j, j == i)) > 1" in each["rule"]
        for each in field.get("x-kubernetes-validations", [])
    ):
        unique = [""]
    return (
        kind,
        sorted(field.get("required", [])),
        least or None,
        None if options else most,
        options,
        unique,
        SYNTAX.get(field.get("pattern", ""), ""),
    )


_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
SYNTAX = {
    rf"^{_LABEL}(\.{_LABEL})*$": "subdomain",
    rf"^{_LABEL}$": "dns-label",
    rf"^({_LABEL}(\.{_LABEL})*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$": "label-key",
    r"^(?i)[a-z]([-a-z0-9]*[a-z0-9])?$": "kind",
}
