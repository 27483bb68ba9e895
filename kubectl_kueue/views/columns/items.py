"""One object on its way into a row: its bytes, opened as far as a column needs."""

from functools import cached_property
from typing import Any

import msgspec

from kubectl_kueue.errors import InputError
from kubectl_kueue.model.convert import OLD_VERSIONS, to_current
from kubectl_kueue.model.faults import without_nulls
from kubectl_kueue.model.forms import FORMS
from kubectl_kueue.model.slim import SLIM, read_slim
from kubectl_kueue.model.syntax import check_syntax


class _Meta(msgspec.Struct, rename="camel"):
    name: Any = ""
    namespace: Any = ""
    creation_timestamp: Any = None
    labels: Any = None


class _Header(msgspec.Struct, rename="camel"):
    api_version: Any = ""
    kind: Any = ""
    metadata: _Meta | None = None


_decode_header = msgspec.json.Decoder(_Header).decode


class Item:
    """An object as it was read. Nothing here fails: what is not as its kind promises shows as empty cells."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        header = _decode_header(content)
        meta = header.metadata or _Meta()
        self.group, _, self.version = str(header.api_version or "").rpartition("/")
        self.kind = str(header.kind or "")
        self.name, self.namespace = str(meta.name or ""), str(meta.namespace or "")
        self.created: str | None = (
            meta.creation_timestamp if isinstance(meta.creation_timestamp, str) else None
        )
        self.labels: dict[str, Any] = meta.labels if isinstance(meta.labels, dict) else {}

    @property
    def key(self) -> str:
        """ "namespace/name"."""
        return f"{self.namespace}/{self.name}"

    @cached_property
    def value(self) -> dict[str, Any]:
        """The JSON value as it was read."""
        value: dict[str, Any] = msgspec.json.decode(self.content)
        return value

    @cached_property
    def typed(self) -> Any:
        """The object of the model, of the current version; None if there is no such kind or it is wrong."""
        group, _, form = FORMS.get(self.kind, ("", "", None))
        if form is None or group != self.group:
            return None
        old = self.version in OLD_VERSIONS.get(group, ())
        try:
            return _checked(form.decode(msgspec.Raw(self.content))) if not old else self._converted(form.type)
        except (msgspec.DecodeError, InputError, RecursionError):
            pass
        try:
            return self._converted(form.type)
        except (msgspec.DecodeError, InputError, RecursionError):
            return None

    @cached_property
    def slim(self) -> Any:
        """The object cut down to what tables need; None if there is no such kind or it is wrong."""
        type_ = SLIM.get(self.kind)
        try:
            return None if type_ is None else read_slim(self.content, type_)
        except InputError:
            return None

    def _converted(self, type_: Any) -> Any:
        """The slow way: nulls count as absent, older versions are made current."""
        value = without_nulls(msgspec.json.decode(self.content))
        if self.version in OLD_VERSIONS.get(self.group, ()):
            value = to_current(self.kind, value)
        return _checked(msgspec.convert(value, type_))


def _checked(value: Any) -> Any:
    """Raises InputError for a quantity or a time that is none."""
    check_syntax(value)
    return value
