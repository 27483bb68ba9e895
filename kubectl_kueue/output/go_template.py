"""-o go-template: kubectl on this machine runs the template, since only it has the language.

kubectl takes objects apart when they come as a list, and a template may hold definitions of its own, which
cannot stand inside of another template. So the document travels as one field of an object, and a JSON patch
that kubectl applies to it locally moves every field of the document to where it belongs: what the template
then sees is the document, list or not.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.model.pointer import escaped


class Finished(Protocol):
    """What a program that ran to its end left behind."""

    @property
    def stdout(self) -> bytes: ...

    @property
    def stderr(self) -> bytes: ...

    @property
    def code(self) -> int: ...


RunKubectl = Callable[[Sequence[str], bytes], Finished]
"""Runs kubectl with these arguments and this standard input; raises a KueueError if there is no kubectl."""


def render_template(
    template: str, data: Mapping[str, Any], run_kubectl: RunKubectl | None, *, allow_missing: bool = True
) -> str:
    """What the Go template prints of `data`. A document without kind appears as kind "Answer".

    Raises ConfigError with kubectl's words about the template, and whatever `run_kubectl` raises.
    """
    import msgspec

    if run_kubectl is None:
        raise ConfigError("this command has no -o go-template, use -o jsonpath=TEMPLATE")
    if "\0" in template:
        raise ConfigError("a Go template cannot hold a NUL character")
    field = "answer"
    while field in data:
        field += "_"
    arguments = [
        "patch",
        "--local",
        "--filename=-",
        "--type=json",
        f"--patch={json.dumps(_unwrapping(field, data))}",
        f"--output=go-template={template}",
        f"--allow-missing-template-keys={'true' if allow_missing else 'false'}",
    ]
    wrapped = {"apiVersion": "v1", "kind": "Answer", field: data}
    finished = run_kubectl(arguments, msgspec.json.encode(wrapped))
    if finished.code:
        reason = finished.stderr.decode(errors="replace").strip().removeprefix("error: ")
        raise ConfigError(reason or f"kubectl ended with {finished.code} and said nothing")
    return finished.stdout.decode(errors="replace")


def _unwrapping(field: str, data: Mapping[str, Any]) -> list[dict[str, str]]:
    """The JSON patch that puts the fields of `data` in the place of the object around them."""
    paths = [escaped(key) for key in data]
    moves = [{"op": "move", "from": f"/{field}/{path}", "path": f"/{path}"} for path in paths]
    rest = [field] if "apiVersion" in data else ["apiVersion", field]
    return [*moves, *({"op": "remove", "path": f"/{name}"} for name in rest)]
