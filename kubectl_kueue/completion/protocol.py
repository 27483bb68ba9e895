"""`__complete WORD... PREFIX`: candidates for the last word, in the protocol of programs made with cobra.

Printed are lines of VALUE, or VALUE<TAB>DESCRIPTION, then :MASK, a sum of what the shell is to do. Of
--flag=VALUE only the VALUE is offered.
"""

import sys

from kubectl_kueue.completion.line import Line, kind_of
from kubectl_kueue.completion.words import KINDS

ERROR, NO_SPACE, NO_FILES, EXTENSIONS, FOLDERS, FILES = 1, 2, 4, 8, 16, 0

ASKED = ("__complete", "__completeNoDesc")
"""The hidden commands that are answered here; the second one wants no descriptions."""

UNFINISHED = ("=", "/", ":", ",")
"""A candidate that ends in one of these goes on without a space."""

Candidate = tuple[str, str]
Answer = tuple[list[Candidate], int]


def main(arguments: list[str]) -> int:
    """Answer a request: one of ASKED, the words before the cursor, the word that it stands at."""
    asked, *words = arguments
    try:
        found, mask = complete(words)
    except Exception:  # whatever is wrong, a prompt is no place for it
        found, mask = [], ERROR
    described = asked != "__completeNoDesc"
    lines = [_line(value, text if described else "") for value, text in found]
    try:
        sys.stdout.buffer.write("".join([*lines, f":{mask}\n"]).encode(errors="replace"))
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        return 1
    return 0


def plugin() -> int:
    """The program kubectl_complete-kueue: what kubectl runs to complete `kubectl kueue WORD... PREFIX`."""
    return main(["__complete", *sys.argv[1:]])


def complete(words: list[str]) -> Answer:
    """Candidates for the last of these words, and the mask. Raises whatever stands in the way of names."""
    *before, prefix = words or [""]
    prefix = "" if prefix == '""' else prefix  # some PowerShells cannot pass an empty word
    line = Line(before)
    if line.pending:
        return _fitting(_value(line, line.flags[line.pending].takes, prefix), prefix)
    if prefix.startswith("-") and not line.ended:
        name, equals, value = prefix.partition("=")
        if not equals:
            return _fitting((_flags(line, prefix), NO_FILES), prefix)
        flag = line.flags.get(line.find_flag(name))
        takes = (flag.takes or "one true false") if flag else "text"
        return _fitting(_value(line, takes, value), value)
    return _fitting(_word(line, prefix), prefix)


def _line(value: str, text: str) -> str:
    return f"{value}\t{text}\n" if text else f"{value}\n"


def _fitting(answer: Answer, prefix: str) -> Answer:
    """Those that begin with the prefix and are safe to show in a terminal."""
    found, mask = answer
    if mask != NO_FILES:
        return answer
    found = [each for each in found if each[0].startswith(prefix) and each[0].isprintable()]
    if found and all(value.endswith(UNFINISHED) for value, _ in found):
        mask |= NO_SPACE
    return found, mask


def _flags(line: Line, prefix: str) -> list[Candidate]:
    offered: list[Candidate] = []
    for name, flag in line.flags.items():
        if name in line.given and not flag.several:
            continue
        offered.append((name, flag.help))
        if flag.short and not prefix.startswith("--"):
            offered.append((flag.short, flag.help))
    return sorted(offered)


def _word(line: Line, prefix: str) -> Answer:
    command = line.command
    if line.lost:
        return [], NO_FILES
    if command.below:
        known = [(word, each.help) for word, each in command.below.items()]
        if not any(word.startswith(prefix) for word, _ in known):  # the short words and plurals of kinds
            known = [
                (other, each.help)
                for word, each in command.below.items()
                for other in KINDS.get(kind_of(word), (False, ()))[1]
            ]
        return known, NO_FILES
    at = len(line.words)
    if at < len(command.words):
        return _value(line, command.words[at], prefix)
    if command.more and command.words:
        return _value(line, command.words[-1], prefix)
    return [], NO_FILES


# --- meanings (grammar.py) ------------------------------------------------------------------------


def _value(line: Line, meaning: str, prefix: str) -> Answer:
    form, *rest = meaning.split()
    match form:
        case "file":
            return ([(each, "") for each in rest], EXTENSIONS) if rest else ([], FILES)
        case "dir":
            return [], FOLDERS
        case "one":
            if any(word.endswith("-file=") and prefix.startswith(word) for word in rest):
                return [], FILES
            return _plain(rest), NO_FILES
        case "several":
            done, comma, _ = prefix.rpartition(",")
            taken = done.split(",")
            return _plain([done + comma + word for word in rest if word not in taken]), NO_FILES
        case "name":
            return _plain(_names(line, *rest)), NO_FILES
        case "head":
            return _plain([name + rest[1] for name in _names(line, rest[0])]), NO_FILES
        case "config":
            from kubectl_kueue.completion.names import entries_of_kubeconfig

            return _plain(entries_of_kubeconfig(rest[0], line.given)), NO_FILES
        case "object":
            return _object(line, rest, prefix) if "/" in prefix else _heads(rest), NO_FILES
        case "kind":
            return _object(line, rest, prefix) if "/" in prefix else _kinds(rest, prefix), NO_FILES
        case "kindor":
            if "/" in prefix:
                return _object(line, rest[1:], prefix), NO_FILES
            return [*_kinds(rest[1:], prefix), *_plain(_names_if_any(line, rest[0]))], NO_FILES
        case "names":
            return _further(line, prefix, *rest), NO_FILES
    return [], NO_FILES


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
