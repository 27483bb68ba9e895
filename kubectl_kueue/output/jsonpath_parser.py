"""jsonpath templates in kubectl's dialect -> chunks, each a text or the steps of one {action}.

    a{.b[0].c}{range .d[*]}{"\\n"}{end}

The dialect is kubectl's own: no nested filters, no `&&`, ['x'] is another way to write .x (so a dot inside
needs a backslash there too), and double quotes are for text, not for names.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from kubectl_kueue.errors import ConfigError
from kubectl_kueue.output.go_text import unquote


class Field(NamedTuple):
    """.name"""

    name: str


class Every(NamedTuple):
    """.* : the values of an object, the elements of a list."""


class Descend(NamedTuple):
    """.. : the value and everything below it."""


class Index(NamedTuple):
    """[2], [-1]"""

    position: int


class Slice(NamedTuple):
    """[start:stop:step]; None where nothing is written."""

    start: int | None = None
    stop: int | None = None
    step: int | None = None


class Union(NamedTuple):
    """[0,2], ['a','b']"""

    branches: "Sequence[Steps]"


class Filter(NamedTuple):
    """[?(left operator right)]; without an operator: where `left` finds something."""

    left: "Steps"
    operator: str = ""
    right: "Steps" = ()


class Literal(NamedTuple):
    """A quoted string, a number, true, false."""

    value: Any


class Word(NamedTuple):
    """A bare word: `range` and `end` mean something."""

    name: str


Step = Field | Every | Descend | Index | Slice | Union | Filter | Literal | Word
Steps = Sequence[Step]
Chunk = str | Steps

_BLANK = " \t\r\n"
_TERMINATORS = frozenset(_BLANK + ".,[]$@{}")
_NUMBER = re.compile(r"[-+]?[.\d]*")
_NAME_IN_BRACKETS = re.compile(r"'([^']*)'")
_SLICE = re.compile(r"(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?")
_COMPARISON = re.compile(r"([^!<>=]++)(?=[!<>=].+\Z)([!<>=]+)(.+)")


def parse(template: str) -> list[Chunk]:
    """The chunks of a template. Raises ConfigError with kubectl's words for one that is not well formed."""
    try:
        return _chunks(template)
    except _SyntaxError as error:
        raise ConfigError(f"error parsing jsonpath {template}, {error}") from None


class _SyntaxError(Exception):
    pass


def _chunks(template: str) -> list[Chunk]:
    chunks: list[Chunk] = []
    position = 0
    while (start := template.find("{", position)) >= 0:
        if start > position:
            chunks.append(template[position:start])
        action = _Action(template, start + 1)
        action.read()
        chunks.append(action.steps)
        position = action.position
    if position < len(template):
        chunks.append(template[position:])
    return chunks


def _steps(text: str) -> Steps:
    """The steps of `text` as an action of its own."""
    action = _Action(f"{{{text}}}", 1)
    action.read()
    return action.steps


class _Action:
    """Reads one {action} from behind its opening brace to behind its closing one."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.steps: list[Step] = []

    def read(self) -> None:
        while not self._skip("}"):
            if self._skip("[?("):
                self._filter()
            elif self._skip(".."):
                self._descend()
            else:
                self._step()

    def _skip(self, prefix: str) -> bool:
        found = self.text.startswith(prefix, self.position)
        if found:
            self.position += len(prefix)
        return found

    def _step(self) -> None:
        letter = self.text[self.position : self.position + 1]
        if letter in ("", "\r", "\n"):
            raise _SyntaxError("unclosed action")
        if letter in "+-" or letter.isdecimal():
            self._number()
        elif _starts_word(letter):
            self._word()
        else:
            self.position += 1
            match letter:
                case " " | "@" | "$":
                    pass
                case "[":
                    self._brackets()
                case '"' | "'":
                    self._quoted(letter)
                case ".":
                    self._field()
                case _:
                    raise _SyntaxError(f"unrecognized character in action: {_named(letter)}")

    def _field(self) -> None:
        start = self.position
        while self.position < len(self.text) and self.text[self.position] not in _TERMINATORS:
            self.position += 2 if self.text[self.position] == "\\" else 1
        name = self.text[start : self.position].replace("\\", "")
        self.steps.append(Every() if name == "*" else Field(name))

    def _descend(self) -> None:
        if self.steps and isinstance(self.steps[-1], Descend):
            raise _SyntaxError("invalid multiple recursive descent")
        self.steps.append(Descend())
        if _starts_word(self.text[self.position : self.position + 1]):
            self._field()

    def _word(self) -> None:
        start = self.position
        while self.position < len(self.text) and self.text[self.position] not in _TERMINATORS:
            self.position += 1
        name = self.text[start : self.position]
        self.steps.append(Literal(name == "true") if name in ("true", "false") else Word(name))

    def _number(self) -> None:
        match = _NUMBER.match(self.text, self.position)
        assert match is not None
        self.position = match.end()
        try:
            match[0].encode("ascii")
            self.steps.append(Literal(float(match[0]) if "." in match[0] else int(match[0])))
        except ValueError:
            raise _SyntaxError(f"cannot parse number {match[0]}") from None

    def _quoted(self, mark: str) -> None:
        start = self.position - 1
        while True:
            letter = self.text[self.position : self.position + 1]
            if letter in ("", "\n"):
                raise _SyntaxError("unterminated quoted string")
            self.position += 1
            if letter == mark and self.text[self.position - 2] != "\\":
                break
        quoted = self.text[start : self.position]
        value = unquote(quoted)
        if value is None:
            raise _SyntaxError(f"unquote string {quoted} error invalid syntax")
        self.steps.append(Literal(value))

    def _brackets(self) -> None:
        end = self.text.find("]", self.position)
        inside = self.text[self.position : end]
        if end < 0 or "\n" in inside:
            raise _SyntaxError("unterminated array")
        self.position = end + 1
        if "," in inside:
            self.steps.append(Union([_steps(f"[{branch.strip(' ')}]") for branch in inside.split(",")]))
        elif name := _NAME_IN_BRACKETS.fullmatch(inside):
            self.steps += _steps(f".{name[1]}")
        else:
            self.steps.append(_index(inside))

    def _filter(self) -> None:
        start = self.position
        end = self._end_of_filter()
        self.position = end + 1
        if not self._skip("]"):
            raise _SyntaxError("unclosed array expect ]")
        inside = self.text[start:end]
        comparison = _COMPARISON.fullmatch(inside)
        if comparison is None:
            self.steps.append(Filter(_steps(inside)))
        else:
            left, operator, right = comparison.groups()
            self.steps.append(Filter(_steps(left), operator, _steps(right)))

    def _end_of_filter(self) -> int:
        """Where the ) is that is not inside of quotes; kubectl knows one quoted string a filter."""
        mark, closed = "", False
        for position in range(self.position, len(self.text)):
            letter = self.text[position]
            if letter == "\n":
                break
            if letter in "\"'" and not mark:
                mark = letter
            elif letter == mark and self.text[position - 1] != "\\":
                closed = True
            elif letter == ")" and bool(mark) == closed:
                return position
        raise _SyntaxError("unterminated filter")


def _index(text: str) -> Step:
    if text == "*":
        return Slice()
    match = _SLICE.fullmatch(text)
    if match is None:
        raise _SyntaxError(f"invalid array index {text}")
    first, *others = match.groups()
    numbers = [_integer(part) for part in (first, *(other and other[1:] for other in others))]
    if others[0] is None:
        return Index(numbers[0] or 0)
    return Slice(*numbers)


def _integer(text: str | None) -> int | None:
    if not text:
        return None
    if text == "-" or len(text) > 25 or not -(2**63) <= int(text) < 2**63:
        raise _SyntaxError(f"array index {text} is not a number")
    return int(text)


def _starts_word(letter: str) -> bool:
    return letter == "_" or letter.isalpha() or letter.isdecimal()


def _named(letter: str) -> str:
    return f"U+{ord(letter):04X}" + (f" '{letter}'" if letter.isprintable() else "")
