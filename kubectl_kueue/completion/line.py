"""The words before the cursor -> where on the command line it stands, and what has been given already."""

from kubectl_kueue.completion.grammar import Command, Flag
from kubectl_kueue.completion.words import GLOBAL_FLAGS, KINDS, ROOT


def kind_of(word: str) -> str:
    """The API's name of the kind that a word names; empty for a word that names none in the table."""
    word = word.lower()
    for kind, (_, words) in KINDS.items():
        if word in words:
            return kind
    return ""


class Line:
    """`words` are the words of the command itself; `given` maps flags to their values, "true" for switches;
    `pending` is the flag whose value the cursor stands at; `known` are the flags of all commands so far;
    `ended`: there was a --, so no flag comes; `lost`: a word led nowhere."""

    def __init__(self, before: list[str]) -> None:
        self.command: Command = ROOT
        self.words: list[str] = []
        self.given: dict[str, list[str]] = {}
        self.pending = ""
        self.ended = False
        self.lost = False
        self.known = {**GLOBAL_FLAGS, **ROOT.flags}
        for word in before:
            self._read(word)

    @property
    def flags(self) -> "dict[str, Flag]":
        """The flags that may stand here, by long name."""
        return {**self.command.flags, **GLOBAL_FLAGS}

    def find_flag(self, name: str) -> str:
        """The long name of a flag that may stand here, empty if there is none."""
        if name in self.known:
            return name
        return next((long for long, flag in self.known.items() if flag.short == name), "")

    def _read(self, word: str) -> None:
        if self.pending:
            self._give(self.pending, word)
            self.pending = ""
        elif self.ended or word == "-" or not word.startswith("-"):
            self._read_word(word)
        elif word == "--":
            self.ended = True
        elif word.startswith("--"):
            name, equals, value = word.partition("=")
            self._read_flag(self.find_flag(name), value if equals else None)
        else:
            self._read_shorts(word[1:])

    def _read_word(self, word: str) -> None:
        if not self.command.below:
            self.words.append(word)
        elif found := below(self.command, word):
            self.command = found
            self.known = {**self.known, **found.flags}
        else:
            self.lost = True

    def _read_flag(self, name: str, value: str | None) -> None:
        if not name:
            return
        if self.known[name].takes and value is None:
            self.pending = name
        else:
            self._give(name, "true" if value is None else value)

    def _read_shorts(self, letters: str) -> None:
        """-A, -n NAME, -nNAME, -n=NAME, and several switches in one word."""
        name = self.find_flag(f"-{letters[0]}")
        rest = letters[1:]
        if not name:
            return
        if self.known[name].takes:
            self._read_flag(name, rest.removeprefix("=") if rest else None)
            return
        self._give(name, "true")
        if rest:
            self._read_shorts(rest)

    def _give(self, name: str, value: str) -> None:
        self.given.setdefault(name, []).append(value)


def below(command: Command, word: str) -> Command | None:
    """The command that a word leads to: a verb, or any word for the kind of a verb's command."""
    if word in command.below:
        return command.below[word]
    kind = kind_of(word)
    return next((each for key, each in command.below.items() if kind and kind_of(key) == kind), None)
