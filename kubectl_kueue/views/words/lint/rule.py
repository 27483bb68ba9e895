"""What is said about a rule of `lint`, and what several rules say alike."""

from collections.abc import Mapping
from typing import NamedTuple

Sentence = str | Mapping[str, str]
"""`{name}` stands for a fact of the finding. Of several, a fact chooses one; "*" is for all others."""


class RuleWords(NamedTuple):
    """`title` is the rule as a heading; `says` the finding; `do` what to do; `why` what happens otherwise."""

    title: str
    says: Sentence
    do: Sentence
    why: str


ELSEWHERE = "pass --snapshot FILE, or --live with the right to read it, or create it"

SYNTAXES = {
    "subdomain": "lower-case letters, digits, '-' and '.', beginning and ending with a letter or digit",
    "dns-label": "lower-case letters, digits and '-', beginning and ending with a letter or digit",
    "label-key": "NAME or PREFIX/NAME, a name of at most 63 letters, digits, '-', '_' and '.'",
    "kind": "letters, digits and '-', beginning with a letter",
}


def absent(what: str, fact: str) -> Mapping[str, str]:
    """An object that is named and not there."""
    return {
        "cluster": f"{what} {{{fact}}} does not exist",
        "files": f"{what} {{{fact}}} is not in these files",
    }
