"""What the visibility API says of a queue: where each Workload in it stands."""

from collections.abc import Iterable

import msgspec

from kubectl_kueue.errors import ApiError


class _Named(msgspec.Struct):
    name: str = ""
    namespace: str = ""


class _Waiting(msgspec.Struct, rename="camel"):
    metadata: _Named = msgspec.field(default_factory=_Named)
    position_in_cluster_queue: int = 0
    position_in_local_queue: int = 0


class _Summary(msgspec.Struct):
    items: list[_Waiting] | None = None


_decode = msgspec.json.Decoder(_Summary).decode


def places(pages: Iterable[bytes]) -> dict[str, tuple[int, int]]:
    """Places in the LocalQueue and in the ClusterQueue, from 0, by "namespace/name" of the Workload.

    Raises ApiError.
    """
    try:
        return {
            f"{each.metadata.namespace}/{each.metadata.name}": (
                each.position_in_local_queue,
                each.position_in_cluster_queue,
            )
            for page in pages
            for each in _decode(page).items or ()
        }
    except (msgspec.DecodeError, RecursionError):  # somebody else answers in Kueue's name
        raise ApiError("the answer is not what the visibility API promises") from None
