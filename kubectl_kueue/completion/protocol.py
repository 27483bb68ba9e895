"""`__complete WORD... PREFIX`: candidates for the last word, in the protocol of programs made with cobra.

Printed are lines of VALUE, or VALUE<TAB>DESCRIPTION, then :MASK, a sum of what the shell is to do. Of
--flag=VALUE only the VALUE is offered.
"""

import sys

from kubectl_kueue.completion.line import Line
from kubectl_kueue.completion.offers import Answer, Candidate, Mask, offer_value, offer_words

UNFINISHED = ("=", "/", ":", ",")
"""A candidate that ends in one of these goes on without a space."""


def main(arguments: list[str]) -> int:
    """Answer a request: __complete, or __completeNoDesc for no descriptions; the words before the cursor; the
    word that it stands at."""
    asked, *words = arguments
    try:
        found, mask = complete(words)
    except Exception:  # whatever is wrong, a prompt is no place for it
        found, mask = [], Mask.ERROR
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
        return _fitting(offer_value(line, line.known[line.pending].takes, prefix), prefix)
    if prefix.startswith("-") and not line.ended:
        name, equals, value = prefix.partition("=")
        if not equals:
            return _fitting((_flags(line, prefix), Mask.NO_FILES), prefix)
        flag = line.known.get(line.find_flag(name))
        takes = (flag.takes or "one true false") if flag else "text"
        return _fitting(offer_value(line, takes, value), value)
    return _fitting(offer_words(line, prefix), prefix)


def _line(value: str, text: str) -> str:
    return f"{value}\t{text}\n" if text else f"{value}\n"


def _fitting(answer: Answer, prefix: str) -> Answer:
    """Those that begin with the prefix and are safe to show in a terminal."""
    found, mask = answer
    if mask != Mask.NO_FILES:
        return answer
    found = [each for each in found if each[0].startswith(prefix) and each[0].isprintable()]
    if found and all(value.endswith(UNFINISHED) for value, _ in found):
        mask |= Mask.NO_SPACE
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
