"""What a patch makes of an object, computed here: merge patches (RFC 7386) and JSON patches (RFC 6902)."""

from collections.abc import Mapping
from typing import Any

from kubectl_kueue.errors import ConfigError


def apply_merge(target: Any, patch: Any) -> Any:
    """`target` with a merge patch: null takes a key away, an object is merged, all else replaces.

    Neither argument is changed.
    """
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = apply_merge(merged.get(key), value)
    return merged


def apply_json(target: Mapping[str, Any], patch: Any) -> dict[str, Any]:
    """`target` with a JSON patch, a list of operations. Raises ConfigError if it cannot be applied."""
    from jsonpatch import JsonPatch, JsonPatchException
    from jsonpointer import JsonPointerException

    if not isinstance(patch, list):
        raise ConfigError("a JSON patch is a list of operations, this is not")
    try:
        patched = JsonPatch(patch).apply(target)
    except (JsonPatchException, JsonPointerException, TypeError, KeyError, ValueError) as error:
        raise ConfigError(f"the patch cannot be applied: {error}") from None
    if not isinstance(patched, dict):
        raise ConfigError("the patch cannot be applied: no object is left")
    return patched
