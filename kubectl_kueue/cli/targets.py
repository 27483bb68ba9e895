"""KIND [NAME...], KIND,KIND and KIND/NAME... as kubectl takes them: which kinds, which of their objects?"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from kubectl_kueue.cli.flags import session_of, words_or_help
from kubectl_kueue.cli.names import nothing_found
from kubectl_kueue.cli.session import Session
from kubectl_kueue.errors import ApiError, ConfigError

if TYPE_CHECKING:
    from kubectl_kueue.cli.source import Source
    from kubectl_kueue.cluster.kinds import Kind
    from kubectl_kueue.views.columns.items import Item


SERVER_TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"
"""What to accept for the table that the server makes of a kind that is not Kueue's."""


ChunkSize = Annotated[
    int, typer.Option("--chunk-size", metavar="N", help="Accepted for kubectl's sake, without effect.")
]


class Target(NamedTuple):
    """Objects of one kind; no names: all of them."""

    kind: "Kind"
    names: Sequence[str]


class Choice(NamedTuple):
    """Which of them. `namespace` None: of all namespaces; `missing`: is one that is not there a failure?"""

    namespace: str | None
    labels: str = ""
    fields: str = ""
    missing: bool = True


class Catch:
    """Objects as they are read one by one; what the server refuses is kept, so that the others still come."""

    def __init__(self, choice: Choice) -> None:
        self._choice = choice
        self.refusals: list[ApiError] = []

    def one(self, read: Callable[[], bytes]) -> list[bytes]:
        """What `read` gives, nothing if it is refused."""
        try:
            return [read()]
        except ApiError as error:
            if error.status != 404 or self._choice.missing:
                self.refusals.append(error)
            return []

    def report(self, session: Session) -> None:
        """Tell what was refused: the last one is raised."""
        for error in self.refusals[:-1]:
            session.warn(
                f"Error from server ({error.reason}): {error}" if error.reason else f"Error: {error}"
            )
        if self.refusals:
            raise self.refusals[-1]


def begin(
    context: typer.Context,
    words: list[str] | None,
    labels: str,
    fields: str = "",
    *,
    all_namespaces: bool,
    missing: bool = True,
) -> tuple[Session, list[Target], Choice]:
    """What `get` and `describe` are asked for; what is wrong, in kubectl's words. Raises ConfigError."""
    words = words_or_help(context, words)
    session = session_of(context)
    session.kubectl_errors = True
    session.check_output()
    source = session.source()
    targets = read_targets(words, source)
    if all_namespaces:
        check_namespaces(targets)
    choice = Choice(None if all_namespaces else source.namespace, labels, fields, missing)
    check_choice(targets, choice)
    return session, targets, choice


def read_targets(words: Sequence[str], source: "Source") -> list[Target]:
    """What the words of a command line name, in their order. Raises ConfigError for words that do not fit."""
    if any("/" in word for word in words):
        return _pairs(words, source)
    kinds = [source.find_kind(word) for word in words[0].split(",") if word]
    if not kinds:
        raise ConfigError("the kind is missing")
    if not all(words[1:]):
        raise ConfigError("resource name may not be empty")
    names = list(dict.fromkeys(words[1:]))
    return [Target(kind, names) for kind in dict.fromkeys(kinds)]


def is_table(session: Session) -> bool:
    """Whether the answer is for people: no other format is asked for."""
    output = session.flags.output
    return output in ("table", "wide") or (output is None and not session.flags.template)


def nothing_there(targets: Sequence[Target], choice: Choice) -> str:
    """What is said where no object was found."""
    namespaced = any(target.kind.namespaced for target in targets)
    return nothing_found(choice.namespace if namespaced else None)


def check_choice(targets: Sequence[Target], choice: Choice) -> None:
    """Raise ConfigError for names that contradict other flags."""
    for target in targets:
        if target.names and (choice.labels or choice.fields):
            raise ConfigError("name cannot be provided when a selector is specified")


def check_namespaces(targets: Sequence[Target]) -> None:
    """Raise ConfigError for names together with --all-namespaces."""
    if any(target.names and target.kind.namespaced for target in targets):
        raise ConfigError("a resource cannot be retrieved by name across all namespaces")


def read_items(source: "Source", target: Target, choice: Choice, catch: Catch) -> "list[Item]":
    """The objects of a target, named ones in the order of the names. Raises ApiError for a refused list."""
    from kubectl_kueue.views.columns.items import Item

    kind = target.kind
    if not target.names:
        home = choice.namespace if kind.namespaced else None
        return [Item(c) for c in source.list(kind, home, labels=choice.labels, fields=choice.fields)]
    return [
        Item(content)
        for name in target.names
        for content in catch.one(lambda name=name: source.get(kind, choice.namespace, name))  # type: ignore[misc]
    ]


def _pairs(words: Sequence[str], source: "Source") -> list[Target]:
    found: list[Target] = []
    for word in words:
        kind_word, slash, name = word.partition("/")
        if not slash:
            raise ConfigError(
                "there is no need to specify a resource type as a separate argument when passing arguments "
                "in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get "
                "resource resource/<resource_name>'"
            )
        if "/" in name:
            raise ConfigError("arguments in resource/name form may not have more than one slash")
        if not kind_word or not name:
            raise ConfigError("arguments in resource/name form must have a single resource and name")
        kind = source.find_kind(kind_word)
        if found and found[-1].kind == kind:
            found[-1] = Target(kind, list(dict.fromkeys([*found[-1].names, name])))
        else:
            found.append(Target(kind, [name]))
    return found
