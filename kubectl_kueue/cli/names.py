"""Kinds and names on a command line, and what is said where they lead nowhere."""

from collections.abc import Iterable, Mapping, Sequence

from kubectl_kueue.errors import ConfigError, UsageError


def kind_and_name(words: Sequence[str], kinds: Sequence[str]) -> tuple[str, str]:
    """Kind and name, each empty if not said, of [KIND [NAME]] or KIND/NAME. Raises UsageError."""
    found = _apart(words)
    if len(found) > 2:
        raise UsageError(f"one name at a time, but got {len(words)} words: {' '.join(words)}")
    if not found:
        return "", ""
    kind = _kind_of(found[0], kinds)
    if not kind:
        raise UsageError(f'"{found[0]}" is not one of {", ".join(each.lower() for each in kinds)}')
    return kind, found[1] if len(found) == 2 else ""


def name_alone(words: Sequence[str], kinds: Sequence[str]) -> tuple[str, str]:
    """The same of [[KIND] NAME] or KIND/NAME."""
    found = _apart(words)
    return ("", found[0]) if len(found) == 1 else kind_and_name(words, kinds)


def _apart(words: Sequence[str]) -> list[str]:
    """KIND/NAME as two words, everything else as it stands."""
    found: list[str] = []
    for word in words:
        kind, slash, name = word.partition("/")
        found.extend((kind, name) if slash and kind and name else (word,))
    return found


def _kind_of(word: str, kinds: Sequence[str]) -> str:
    """The kind of Kueue ("ClusterQueue") that a word names, if it is one of these; else empty."""
    from kubectl_kueue.cluster.kinds import KUEUE, known_kind

    kind = known_kind(word)
    return kind.kind if kind is not None and kind.group == KUEUE and kind.kind in kinds else ""


# --- names that lead nowhere, or to several objects -------------------------------------------------


def near(name: str, known: Iterable[str], shown: Mapping[str, str] | None = None) -> str:
    """The end of a sentence: what is spelled like the name, if anything; `shown` says how it is told."""
    from difflib import get_close_matches

    found = get_close_matches(name, sorted(set(known)))
    return f"; did you mean {', '.join((shown or {}).get(each, each) for each in found)}?" if found else ""


def nothing_found(namespace: str | None, end: str = "") -> str:
    """That a list is empty, in kubectl's words; `end` closes the sentence about all namespaces."""
    return (
        f"No resources found{end}" if namespace is None else f"No resources found in {namespace} namespace."
    )


def inside(namespace: str | None) -> str:
    """Where a name was looked for, before or after "not found"; empty for all namespaces."""
    return f' in namespace "{namespace}"' if namespace is not None else ""


def several(what: str, name: str, places: Iterable[str]) -> ConfigError:
    """The name is in several namespaces."""
    return ConfigError(f'{what} "{name}" is in several namespaces, say which with -n: {", ".join(places)}')


def contradiction(text: str, given: str, namespace: str | None) -> ConfigError:
    """NAMESPACE/NAME and --namespace do not agree."""
    return ConfigError(f'"{text}" is in namespace "{given}", but --namespace says "{namespace}"')
