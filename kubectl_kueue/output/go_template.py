"""-o go-template: kubectl on this machine runs the template, since only it has the language.

kubectl takes objects apart when they come as a list, and a template may hold definitions of its own, which
cannot stand inside of another template. So the document travels as the field `answer` of one object, and a
JSON patch that kubectl applies to it locally moves every field of the document to where it belongs: what
the template then sees is the document, list or not.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from kubectl_kueue.errors import ConfigError

RunKubectl = Callable[[Sequence[str], bytes], bytes]
"""Runs kubectl with these arguments and this standard input -> its standard output; raises a KueueError with
what it said if it fails or is not there."""


def render_template(
    template: str, data: Mapping[str, Any], run_kubectl: RunKubectl | None, *, allow_missing: bool = True
) -> str:
    """What the Go template prints of `data`. A document without kind appears as kind "Answer".

    Raises ConfigError without kubectl, and whatever `run_kubectl` raises.
    """
    import msgspec

    if run_kubectl is None:
        raise ConfigError("Go templates need kubectl, which this command does not use; use -o jsonpath=...")
    if "\0" in template:
        raise ConfigError("a Go template cannot hold a NUL character")
    arguments = [
        "patch",
        "--local",
        "--filename=-",
        "--type=json",
        f"--patch={json.dumps(_unwrapping(data))}",
        f"--output=go-template={template}",
        f"--allow-missing-template-keys={'true' if allow_missing else 'false'}",
    ]
    wrapped = {"apiVersion": "v1", "kind": "Answer", "answer": data}
    return run_kubectl(arguments, msgspec.json.encode(wrapped)).decode(errors="replace")


def _unwrapping(data: Mapping[str, Any]) -> list[dict[str, str]]:
    """The JSON patch that puts the fields of `answer` in the place of the object around them."""
    paths = [key.replace("~", "~0").replace("/", "~1") for key in data]
    moves = [{"op": "move", "from": f"/answer/{path}", "path": f"/{path}"} for path in paths]
    rest = {key for key in ("apiVersion", "answer") if key not in data}
    return [*moves, *({"op": "remove", "path": f"/{key}"} for key in sorted(rest))]
