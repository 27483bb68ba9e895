"""What may stand at the cursor: the meanings of grammar.py, turned into candidates."""

from kubectl_kueue.completion.line import Line, kind_of
from kubectl_kueue.completion.words import KINDS


class Mask:
    """What the shell is to do, by the protocol's numbers."""

    FILES = 0
    ERROR = 1
    NO_SPACE = 2
    NO_FILES = 4
    EXTENSIONS = 8
    FOLDERS = 16


Candidate = tuple[str, str]
"""A value and its description, empty if there is none."""

Answer = tuple[list[Candidate], int]
"""Candidates, which need not fit what is typed already, and the mask."""


def offer_words(line: Line, prefix: str) -> Answer:
    """Candidates for a word of the command: a verb, a kind, a name."""
    command = line.command
    if line.lost:
        return [], Mask.NO_FILES
    if command.below:
        known = [(word, each.help) for word, each in command.below.items()]
        if not any(word.startswith(prefix) for word, _ in known):  # the short words and plurals of kinds
            known = [
                (other, each.help)
                for word, each in command.below.items()
                for other in KINDS.get(kind_of(word), (False, ()))[1]
            ]
        return known, Mask.NO_FILES
    at = len(line.words)
    if at < len(command.words):
        return offer_value(line, command.words[at], prefix)
    if command.more and command.words:
        return offer_value(line, command.words[-1], prefix)
    return [], Mask.NO_FILES


def offer_value(line: Line, meaning: str, prefix: str) -> Answer:
    """Candidates for what has this meaning. Raises whatever stands in the way of names."""
    form, *rest = meaning.split()
    match form:
        case "file":
            return ([(each, "") for each in rest], Mask.EXTENSIONS) if rest else ([], Mask.FILES)
        case "dir":
            return [], Mask.FOLDERS
        case "one":
            if any(word.endswith("-file=") and prefix.startswith(word) for word in rest):
                return [], Mask.FILES
            return _plain(rest), Mask.NO_FILES
        case "several":
            done, comma, _ = prefix.rpartition(",")
            taken = done.split(",")
            return _plain([done + comma + word for word in rest if word not in taken]), Mask.NO_FILES
        case "name":
            return _plain(_names(line, *rest)), Mask.NO_FILES
        case "head":
            return _plain([name + rest[1] for name in _names(line, rest[0])]), Mask.NO_FILES
        case "config":
            from kubectl_kueue.completion.names import entries_of_kubeconfig

            return _plain(entries_of_kubeconfig(rest[0], line.given)), Mask.NO_FILES
        case "object":
            return _object(line, rest, prefix) if "/" in prefix else _heads(rest), Mask.NO_FILES
        case "kind":
            return _object(line, rest, prefix) if "/" in prefix else _kinds(rest, prefix), Mask.NO_FILES
        case "kindor":
            if "/" in prefix:
                return _object(line, rest[1:], prefix), Mask.NO_FILES
            return [*_kinds(rest[1:], prefix), *_plain(_names_if_any(line, rest[0]))], Mask.NO_FILES
        case "names":
            return _further(line, prefix, *rest), Mask.NO_FILES
    return [], Mask.NO_FILES


def _plain(words: list[str]) -> list[Candidate]:
    return [(word, "") for word in dict.fromkeys(words)]


def _kinds(kinds: list[str], prefix: str) -> list[Candidate]:
    """One word for each kind, or what fits of its other words."""
    first = [KINDS[kind][1][0] if kind in KINDS else kind.removeprefix("=") for kind in kinds]
    if any(word.startswith(prefix) for word in first):
        return _plain(first)
    return _plain([word for kind in kinds if kind in KINDS for word in KINDS[kind][1]])


def _heads(kinds: list[str]) -> list[Candidate]:
    return _plain([f"{KINDS[kind][1][0]}/" if kind in KINDS else f"{kind}/" for kind in kinds])


def _object(line: Line, kinds: list[str], prefix: str) -> list[Candidate]:
    """KIND/NAME, in the words for the kind that are used already."""
    word = prefix.partition("/")[0]
    kind = kind_of(word)
    if kinds and (kind or word) not in kinds:
        return []
    state = next((each.split()[1] for each in line.command.words if each.startswith("names ")), "")
    taken = set(line.words)
    offered = [f"{word}/{name}" for name in _names(line, kind or word, state)]
    return _plain([each for each in offered if each not in taken])


def _further(line: Line, prefix: str, state: str = "") -> list[Candidate]:
    """More names after KIND, more KIND/NAME after the first."""
    first, *rest = line.words
    if "/" in first:
        if not line.command.more:
            return []
        head = first.partition("/")[0]
        return _object(line, [], prefix if "/" in prefix else f"{head}/")
    if "," in first or f"={first}" in line.command.words[0].split():
        return []
    return _plain([name for name in _names(line, kind_of(first) or first, state) if name not in rest])


def _names_if_any(line: Line, kinds: str) -> list[str]:
    """Names that stand beside words which are known without a cluster."""
    try:
        return [name for kind in kinds.split(",") for name in _names(line, kind)]
    except Exception:
        return []


def _names(line: Line, kind: str, state: str = "") -> list[str]:
    from kubectl_kueue.completion.names import names

    return names(kind, line.given, state)
