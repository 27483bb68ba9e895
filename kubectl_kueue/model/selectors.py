"""Selectors as they stand on a command line: which labels, which fields do they match?

For objects that come from files; a server is sent the text itself. What is refused is refused in the API
server's words.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping

from kubectl_kueue.errors import ApiError
from kubectl_kueue.model.labels import is_label_key, is_label_value
from kubectl_kueue.model.whole_number import whole_number

Labels = Mapping[str, str]
Requirement = Callable[[Labels], bool]
FieldOf = Callable[[str], str]


def match_labels(selector: str) -> Callable[[Labels], bool]:
    """Whether labels meet every requirement of `a=b,c!=d,e in (x,y),f notin (z),g,!h,i>1`.

    Nothing is required by an empty text. Raises ApiError, status 400.
    """
    requirements = list(_Parser(selector).requirements())
    return lambda labels: all(requirement(labels) for requirement in requirements)


def match_fields(selector: str, supported: Collection[str]) -> Callable[[FieldOf], bool]:
    """Whether an object, given as a reader of its fields, meets every term of `path=value,path!=value`.

    Raises ApiError, status 400, also for a path that is not `supported`.
    """
    terms = [_term(text, selector) for text in re.findall(r"(?:[^\\,]|\\.?)+", selector)]
    for path, _, _ in terms:
        if path not in supported:
            raise _refused(f"field label not supported: {path}")
    return lambda field: all((field(path) == value) is equal for path, equal, value in terms)


# --- fields -------------------------------------------------------------------------------------


def _term(text: str, selector: str) -> tuple[str, bool, str]:
    """Path, whether it is to be equal, value; `\\` takes the meaning of `,`, `=` and itself away."""
    match = re.fullmatch(r"((?:[^\\=!]|\\.)*)(!=|==|=)(.*)", text, re.DOTALL)
    if match is None:
        raise _refused(f"invalid selector: '{selector}'; can't understand '{text}'")
    path, operator, value = match.groups()
    return path, operator != "!=", _unescaped(value, selector)


def _unescaped(value: str, selector: str) -> str:
    if re.sub(r"\\[\\,=]", "", value).count("\\") or "=" in re.sub(r"\\.", "", value):
        raise _refused(f"invalid selector: '{selector}'; can't understand '{value}'")
    return re.sub(r"\\(.)", r"\1", value)


# --- labels -------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(==|!=|[=!<>,()]|[^\s=!<>,()]+|$)")
_WORD = re.compile(r"[^\s=!<>,()]+")
_OPERATORS = ("in", "notin", "=", "==", "!=", "gt", "lt")


class _Parser:
    """The requirements of one selector, from left to right."""

    def __init__(self, selector: str) -> None:
        self._tokens = _TOKEN.findall(selector)
        self._next = 0

    def requirements(self) -> Iterator[Requirement]:
        if self._peek() == "":
            return
        while True:
            yield self._requirement()
            word = self._take()
            if word == "":
                return
            if word != "," or self._peek() == "":
                raise _refused(f"found '{word.strip(',')}', expected: ',' or 'end of string'")

    def _requirement(self) -> Requirement:
        if self._peek() == "!":
            self._take()
            absent = self._key()
            return lambda labels: absent not in labels
        key = self._key()
        if self._peek() in ("", ","):
            return lambda labels: key in labels
        operator = self._take()
        match operator:
            case "=" | "==":
                value = self._value(key)
                return lambda labels: labels.get(key) == value
            case "!=":
                value = self._value(key)
                return lambda labels: labels.get(key) != value
            case "in" | "notin":
                values = self._values(key)
                if operator == "in":
                    return lambda labels: labels.get(key) in values
                return lambda labels: labels.get(key) not in values
            case "<" | ">":
                return _compared(key, operator, self._value(key))
        raise _unparsable(f"found '{operator}', expected: {', '.join(_OPERATORS)}")

    def _key(self) -> str:
        word = self._take()
        if not _WORD.fullmatch(word):
            raise _unparsable(f"found '{word}', expected: identifier")
        if not is_label_key(word):
            raise _unparsable(
                f'key: Invalid value: "{word}": a label key is NAME or PREFIX/NAME; a name has at most 63 '
                "letters, digits, '-', '_' or '.'"
            )
        return word

    def _value(self, key: str) -> str:
        if self._peek() in ("", ","):
            return ""
        return self._checked(key, self._take())

    def _values(self, key: str) -> frozenset[str]:
        if (word := self._take()) != "(":
            raise _unparsable(f"found '{word}', expected: '('")
        values = set()
        while True:
            values.add("" if self._peek() in (",", ")") else self._checked(key, self._take()))
            match self._take():
                case ")":
                    return frozenset(values)
                case ",":
                    continue
                case word:
                    raise _unparsable(f"found '{word}', expected: ',' or ')'")

    def _checked(self, key: str, value: str) -> str:
        if value and not _WORD.fullmatch(value):
            raise _unparsable(f"found '{value}', expected: identifier")
        if not is_label_value(value):
            raise _unparsable(
                f'values[0][{key}]: Invalid value: "{value}": a label value has at most 63 letters, digits, '
                "'-', '_' or '.'"
            )
        return value

    def _peek(self) -> str:
        return self._tokens[self._next] if self._next < len(self._tokens) else ""

    def _take(self) -> str:
        word = self._peek()
        self._next += 1
        return word


def _compared(key: str, operator: str, limit: str) -> Requirement:
    bound = whole_number(limit, 64)
    if bound is None:
        raise _unparsable(
            f"values[0][{key}]: Invalid value: \"{limit}\": for 'Gt', 'Lt' operators, the value must be an "
            "integer"
        )

    def holds(labels: Labels) -> bool:
        value = whole_number(labels.get(key, ""), 64)
        if value is None:
            return False
        return value < bound if operator == "<" else value > bound

    return holds


def _unparsable(what: str) -> ApiError:
    return _refused(f"unable to parse requirement: {what}")


def _refused(message: str) -> ApiError:
    return ApiError(message, status=400, reason="BadRequest")
