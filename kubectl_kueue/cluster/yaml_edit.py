"""JSON patches on the text of a file, with its comments, quotes and order kept.

Only the documents that change are touched, and of these only the lines that change (yaml_splice). What
cannot be cut so goes through ruamel.yaml's round trip, which keeps comments, quotes and order, not every
indent. JSON is written anew with the indent that it had. What comes out is read again and compared with what
the patches make of the values: a file is never written with another meaning.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from kubectl_kueue.cluster.yaml_splice import Uncut, pointer_words, splice
from kubectl_kueue.errors import InputError, KueueError

Patch = Sequence[Mapping[str, Any]]


def patch_text(text: str, source: str, patches: Mapping[int, Patch]) -> str:
    """`text` with JSON patches made in its documents (numbers from 1). `source` names it in messages.

    Raises KueueError if it cannot be done without changing anything else.
    """
    if text.lstrip()[:1] in ("{", "[") and set(patches) == {1} and _is_json(text):
        return _patch_json(text, patches[1])
    chunks = _documents(text)
    changed = [
        _patched(chunk, source, patches[number]) if number in patches else chunk
        for number, chunk in enumerate(chunks, 1)
    ]
    result = "".join(changed)
    _compare(text, result, source, patches)
    return result


def _patched(chunk: str, source: str, patch: Patch) -> str:
    try:
        return splice(chunk, patch)
    except Uncut:
        return _patch_yaml(chunk, source, patch)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _patch_json(text: str, patch: Patch) -> str:
    from jsonpatch import JsonPatch

    value = JsonPatch(list(patch)).apply(json.loads(text))
    found = re.search(r"\n( +|\t+)\S", text)
    indent: int | str | None = None
    if found is not None:
        indent = "\t" if found[1][0] == "\t" else len(found[1])
    return json.dumps(value, indent=indent, ensure_ascii=False) + ("\n" if text.endswith("\n") else "")


def _documents(text: str) -> list[str]:
    """The text cut at the lines that begin documents."""
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    marks: list[int] = [
        getattr(event.start_mark, "index", 0)
        for event in yaml.parse(text, Loader=loader)
        if isinstance(event, yaml.DocumentStartEvent)
    ]
    starts = [0, *marks[1:]]
    return [text[start:end] for start, end in zip(starts, [*starts[1:], len(text)], strict=True)]


def _compare(before: str, after: str, source: str, patches: Mapping[int, Patch]) -> None:
    from jsonpatch import JsonPatch

    from kubectl_kueue.cluster.yaml_text import read_yaml

    expected = [document.value for document in read_yaml(before, source)]
    for number, patch in patches.items():
        # What aliases share is shared no more: a patch changes one place.
        alone = json.loads(json.dumps(expected[number - 1]))
        expected[number - 1] = JsonPatch(list(patch)).apply(alone)
    try:
        same = expected == [document.value for document in read_yaml(after, source)]
    except InputError:
        same = False
    if not same:
        raise KueueError(
            f"{source}: it cannot be rewritten without changing more; use -o patch and mend it by hand"
        )


# --- one document -------------------------------------------------------------------------------------

_BEGIN = re.compile(r"(?s)\A((?:[ \t]*(?:#[^\n]*)?\n)*)(---[ \t]*(?:#[^\n]*)?\n|---[ \t]+)")


def _patch_yaml(chunk: str, source: str, patch: Patch) -> str:
    from io import StringIO

    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    begin = _BEGIN.match(chunk)
    head = begin[0] if begin else ""
    body = chunk[len(head) :]
    editor = YAML(typ="rt")
    editor.preserve_quotes = True
    editor.width = 2**20
    editor.allow_duplicate_keys = True
    sequence, offset = _indents(body)
    editor.indent(mapping=_mapping_indent(body), sequence=sequence, offset=offset)
    stream = StringIO()
    try:
        value = editor.load(body)
        for operation in patch:
            _apply(value, operation)
        editor.dump(value, stream)
    except (YAMLError, KeyError, IndexError, TypeError, ValueError) as error:
        raise KueueError(f"{source}: it cannot be rewritten ({type(error).__name__}); use -o patch") from None
    result = stream.getvalue()
    return head + (result if body.endswith("\n") else result.removesuffix("\n"))


_SEQUENCE = re.compile(
    r"^( *)(?:- )*[^\s#-][^\n]{0,200}:[ \t]*(?:&\S+[ \t]*)?(?:#[^\n]*)?\n(?:[ \t]*#[^\n]*\n|[ \t]*\n)*( *)- ",
    re.MULTILINE,
)


def _indents(body: str) -> tuple[int, int]:
    """How far the elements of lists are indented below their key: (to the text, to the dash)."""
    for found in _SEQUENCE.finditer(body):
        if found[0].lstrip().startswith("- "):
            continue
        offset = len(found[2]) - len(found[1])
        return (2 + offset, offset) if offset >= 0 else (2, 0)
    return 2, 0


def _mapping_indent(body: str) -> int:
    """How far fields are indented below the field that holds them."""
    found = re.search(
        r"^\w[^\n]{0,200}:[ \t]*(?:#[^\n]*)?\n(?:[ \t]*(?:#[^\n]*)?\n)*( +)[^\s#-]", body, re.MULTILINE
    )
    return len(found[1]) if found else 2


def _apply(root: Any, operation: Mapping[str, Any]) -> None:
    words = pointer_words(operation["path"])
    match operation["op"]:
        case "add" | "replace":
            _put(root, words, _styled(operation["value"]))
        case "remove":
            _take(root, words)
        case "move":
            source = pointer_words(operation["from"])
            if source[:-1] == words[:-1] and hasattr(_at(root, source[:-1]), "insert"):
                _rename(_at(root, source[:-1]), source[-1], words[-1])
            else:
                _put(root, words, _take(root, source))


def _at(root: Any, words: Sequence[str]) -> Any:
    for word in words:
        root = root[int(word)] if isinstance(root, list) else root[word]
    return root


def _put(root: Any, words: Sequence[str], value: Any) -> None:
    parent = _at(root, words[:-1])
    if isinstance(parent, list):
        if words[-1] == "-":
            parent.append(value)
        else:
            parent[int(words[-1])] = value
    else:
        parent[words[-1]] = value


def _take(root: Any, words: Sequence[str]) -> Any:
    """Take a value out; comment lines behind it belong to what follows and stay."""
    parent, last = _at(root, words[:-1]), words[-1]
    if isinstance(parent, list):
        return parent.pop(int(last))
    keys = list(parent)
    following = keys[keys.index(last) + 1 :]
    column = parent.lc.col if hasattr(parent, "lc") else 0
    comments = _comments_behind(parent, last)
    value = parent.pop(last)
    if not parent and len(words) > 1:
        holder = _at(root, words[:-2])
        holder[int(words[-2]) if isinstance(holder, list) else words[-2]] = _styled({})
        holder.ca.items.pop(words[-2], None)  # comments inside of what is empty now
    if comments and following:
        parent.yaml_set_comment_before_after_key(following[0], before=comments, indent=column or 0)
    return value


def _comments_behind(parent: Any, key: Any) -> str:
    """The comment lines between the last line of a value and what comes next."""
    holder, last = parent, key
    while True:
        value = holder[last]
        if hasattr(value, "ca") and len(value) and not value.fa.flow_style():
            holder, last = value, (len(value) - 1 if isinstance(value, list) else list(value)[-1])
            continue
        break
    tokens = holder.ca.items.get(last) or []
    for token in tokens:
        text = getattr(token, "value", "")
        if text and "\n" in text:
            lines = [line.strip().removeprefix("#").removeprefix(" ") for line in text.split("\n")[1:]]
            return "\n".join(line for line in lines if line)
    return ""


def _rename(parent: Any, old: str, new: str) -> None:
    """Another key at the same place, with the comments of the old one."""
    place = list(parent).index(old)
    comments = parent.ca.items.pop(old, None) if hasattr(parent, "ca") else None
    parent.insert(place, new, parent.pop(old))
    if comments is not None:
        parent.ca.items[new] = comments


def _styled(value: Any) -> Any:
    """A new value as the round trip writes it: texts in quotes where YAML 1.1 would take them for something
    else, flow style for what is empty."""
    from ruamel.yaml.comments import CommentedMap, CommentedSeq
    from ruamel.yaml.scalarstring import DoubleQuotedScalarString

    from kubectl_kueue.cluster.yaml_text import read_yaml

    if isinstance(value, dict):
        mapping = CommentedMap((key, _styled(each)) for key, each in value.items())
        if not value:
            mapping.fa.set_flow_style()
        return mapping
    if isinstance(value, list):
        return CommentedSeq(_styled(each) for each in value)
    if isinstance(value, str):
        plain = bool(value) and re.fullmatch(r"[\w./-][\w./ -]*", value) is not None
        if not plain or read_yaml(value, "value")[0].value != value:
            return DoubleQuotedScalarString(value)
    return value
