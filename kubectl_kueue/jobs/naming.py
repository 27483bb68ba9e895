"""The name of a Workload (kueuectl.md 6.7, "Name rule")."""

from hashlib import sha1
from uuid import NAMESPACE_URL, uuid5

MAX_PREFIX = 247
MAX_SHORT_PREFIX = 57


def workload_name(
    kind: str, group: str, name: str, uid: str, *, extra: str = "", max_prefix: int = MAX_PREFIX
) -> str:
    """`<kind>-<name>-<hash>`; the hash is over the kind in its own case, the whole name and the uid.

    `extra` is what tells the slices of an elastic job apart.
    """
    lines = [kind, group, name, uid, *([extra] if extra else [])]
    digest = sha1("\n".join(lines).encode(), usedforsecurity=False).hexdigest()
    return f"{f'{kind.lower()}-{name}'[:max_prefix]}-{digest[:5]}"


def stand_in_uid(kind: str, namespace: str, name: str) -> str:
    """A uid for an object that has none yet; always the same for the same object."""
    return str(uuid5(NAMESPACE_URL, f"{kind}/{namespace}/{name}"))
