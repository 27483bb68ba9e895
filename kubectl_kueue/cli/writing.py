"""What the writing commands share: their flags, the objects they are about, how they ask, report and wait."""

import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, cast

import typer

from kubectl_kueue.cli.session import Session
from kubectl_kueue.cli.usage import unknown_word
from kubectl_kueue.cluster.kinds import KINDS, KUEUE, Kind, known_kind
from kubectl_kueue.errors import ApiError, ConfigError, KueueError, UsageError
from kubectl_kueue.views.page import Document
from kubectl_kueue.views.results import refusal, shown_object

if TYPE_CHECKING:
    from kubectl_kueue.cluster.server import Server

Strategy = Literal["none", "client", "server"]

_DRY_RUN = typer.Option(
    "--dry-run",
    metavar="none|client|server",
    help="client: only show what would be sent; server: let the server check it and keep nothing.",
)
DryRun = Annotated[str, _DRY_RUN]
OptionalDryRun = Annotated[str | None, _DRY_RUN]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Wait = Annotated[bool, typer.Option("--wait", help="Return when the effect is there.")]
Timeout = Annotated[
    str | None,
    typer.Option("--timeout", metavar="TIME", help="Wait for at most this long (30s, 5m); 0: no limit."),
]
Selector = Annotated[
    str | None, typer.Option("--selector", "-l", metavar="SELECTOR", help="All objects with these labels.")
]
All = Annotated[bool, typer.Option("--all", help="All objects of the kind (in the namespace).")]
AllNamespaces = Annotated[
    bool, typer.Option("--all-namespaces", "-A", help="With --all or -l: those of every namespace.")
]

MERGE_PATCH = "application/merge-patch+json"
JSON_PATCH = "application/json-patch+json"

KUEUE_KINDS = tuple(kind for kind in KINDS if kind.group == KUEUE)


def read_strategy(text: str) -> Strategy:
    """The value of --dry-run. Raises ConfigError."""
    if text not in ("none", "client", "server"):
        raise ConfigError(f'invalid dry-run value ({text}). Must be "none", "server", or "client"')
    return cast(Strategy, text)


def read_timeout(text: str | None) -> float | None:
    """Seconds of --timeout, None for no limit. Raises ConfigError."""
    from kubectl_kueue.cluster.connection import parse_timeout

    return (parse_timeout(text) or None) if text is not None else None


def one_name(names: Sequence[str] | None) -> str:
    """The only name. Raises UsageError for none or several, ConfigError for an empty one."""
    if names is None or len(names) != 1:
        raise UsageError(f"accepts 1 arg(s), received {len(names or ())}")
    if not names[0]:
        raise ConfigError("name must be specified")
    return names[0]


# --- which objects --------------------------------------------------------------------------------


class Target(NamedTuple):
    """An object that a command is about; `document` if a list has brought it already."""

    kind: Kind
    namespace: str | None
    name: str
    document: dict[str, Any] | None = None

    @property
    def label(self) -> str:
        """The object as result lines name it."""
        return f"{self.kind.type}/{self.name}"

    def read(self, server: "Server") -> dict[str, Any]:
        """The object as it is now. Raises ApiError."""
        if self.document is not None:
            return self.document
        return object_of(server.get(self.kind, self.namespace, self.name))


class Choice(NamedTuple):
    """The words and flags that say which objects are meant."""

    kind: Kind
    names: Sequence[str]
    selector: str | None = None
    all: bool = False
    all_namespaces: bool = False

    @property
    def by_list(self) -> bool:
        """Whether the objects are found by a list, not named."""
        return self.all or self.selector is not None

    def check(self) -> None:
        """Raise ConfigError for words and flags that contradict each other."""
        if not self.names and not self.by_list:
            raise ConfigError("requires at least 1 arg(s), only received 0")
        if self.names and self.by_list:
            raise ConfigError("name cannot be provided when a selector is specified")
        if self.all and self.selector is not None:
            raise ConfigError("setting both --all and --selector is not allowed: --all means every object")
        if self.names and self.all_namespaces:
            raise ConfigError("a resource cannot be retrieved by name across all namespaces")
        if "" in self.names:
            raise ConfigError("name must be specified")
        if self.selector == "":
            raise ConfigError("--selector is empty: pass labels, or --all for every object")


def read_words(
    words: Sequence[str] | None, kinds: Sequence[Kind], context: typer.Context
) -> tuple[Kind, list[str]]:
    """Kind and names of `KIND NAME...` or `KIND/NAME...`. Raises UsageError for a kind not in `kinds`."""
    first, *rest = words or [""]
    word, slash, _ = first.partition("/")
    kind = known_kind(word)
    if kind is None or kind not in kinds:
        raise unknown_word(word, context.command_path, [one.singular for one in kinds])
    if not slash:
        if any("/" in name for name in rest):
            raise UsageError("names are given as KIND NAME... or as KIND/NAME..., not both")
        return kind, rest
    pairs = [word.partition("/") for word in words or ()]
    if any(known_kind(one) is not kind or not slash for one, slash, _ in pairs):
        raise UsageError("one kind at a time: all words must be of the form KIND/NAME, with the same KIND")
    return kind, [name for _, _, name in pairs]


def find_targets(session: Session, choice: Choice) -> list[Target]:
    """The objects that are meant, in the order of the words or of the server. Raises ApiError.

    What is named is not looked up yet.
    """
    kind = choice.kind
    namespace = session.namespace() if kind.namespaced and not choice.all_namespaces else None
    if not choice.by_list:
        return [Target(kind, namespace, name) for name in dict.fromkeys(choice.names)]
    pages = session.server().list(kind, namespace, labels=choice.selector or "")
    return [_listed(kind, item) for page in pages for item in object_of(page).get("items") or ()]


def _listed(kind: Kind, item: dict[str, Any]) -> Target:
    metadata = item["metadata"]
    # A list of a kind that is no custom resource leaves these out.
    item = {"apiVersion": f"{kind.group}/{kind.versions[0]}", "kind": kind.kind, **item}
    return Target(kind, metadata.get("namespace"), metadata["name"], item)


def object_of(data: bytes) -> dict[str, Any]:
    """The object that a server answered with. Raises ApiError if it is none."""
    try:
        value = json.loads(data)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ApiError("the server's answer is not a JSON object")
    return value


def body_of(value: Any) -> bytes:
    """A value as the body of a request."""
    return json.dumps(value, separators=(",", ":")).encode()  # in ASCII, whatever the command line held


# --- asking ---------------------------------------------------------------------------------------


def person_is_there() -> bool:
    """Whether somebody can answer a question."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask(session: Session, question: str) -> bool | None:
    """Put a question on standard output, as kueuectl does; None if no answer comes."""
    *lines, last = question.split("\n")
    for line in lines:
        session.write(line)
    session.write(last, end="")
    return _answer()


def _answer() -> bool | None:
    line = sys.stdin.readline() if sys.stdin is not None else ""
    return line.strip().lower() in ("y", "yes") if line else None


def confirm_many(session: Session, verb: str, targets: Sequence[Target], *, yes: bool, dry: bool) -> bool:
    """Ask a person who means several objects at once without naming them. Nobody there: go on.

    Standard output is left to the results.
    """
    if yes or dry or len(targets) < 2 or not person_is_there():
        return True
    from kubectl_kueue.views.results import PROCEED

    session.warn(f"This operation will {verb} {len(targets)} {targets[0].kind.plural}:")
    for target in targets:
        session.warn(f"  - {f'{target.namespace}/' if target.namespace else ''}{target.name}")
    session.warn(PROCEED.rstrip())
    answer = _answer()
    if answer:
        return True
    if answer is None:  # the end of the input is no answer
        session.exit_code = 1
    session.warn("Nothing is changed")
    return False


# --- reporting ------------------------------------------------------------------------------------


class Results:
    """What became of the objects: a line each as it happens, or one document at the end with -o."""

    def __init__(self, session: Session) -> None:
        session.check_output()
        self._session = session
        self._as_lines = session.flags.output in (None, "table", "wide") and session.flags.template is None
        self._done: list[tuple[str, dict[str, Any]]] = []

    def add(self, line: str, label: str, document: dict[str, Any]) -> None:
        """One object is done; `label` is what -o name prints of it."""
        if self._as_lines:
            self._session.write(line)
        else:
            self._done.append((label, shown_object(document)))

    def close(self) -> None:
        """Print what was kept back: the object, or a List if there are several."""
        if not self._done:
            return
        documents = [document for _, document in self._done]
        names = [label for label, _ in self._done]
        data = documents[0]
        if len(documents) > 1:
            data = {"apiVersion": "v1", "kind": "List", "metadata": {}, "items": documents}
        self._session.emit(page=_no_page, document=lambda: Document(data, names, objects=True))


def _no_page() -> Any:
    raise ConfigError("this answer is no table")  # lines are written as things happen


def each(
    session: Session, targets: Sequence[Target], act: Callable[[Target], None], undone: str
) -> list[Target]:
    """Do it to every object and return those where it went well.

    The error of a single object is raised. With several it is told and the rest is still done, unless the
    server is lost twice in a row or does not know who asks: then `undone` ("not stopped") names the rest.
    """
    if len(targets) == 1:
        act(targets[0])
        return list(targets)
    done: list[Target] = []
    lost = 0
    for index, target in enumerate(targets):
        try:
            act(target)
        except KueueError as error:
            session.exit_code = 1
            session.warn(_named(refusal(error, kubectl=session.kubectl_errors), target))
            lost = lost + 1 if is_lost(error) else 0
            rest = targets[index + 1 :]
            if rest and (lost > 1 or getattr(error, "status", None) == 401):
                session.warn(f"{undone}: {', '.join(one.label for one in rest)}")
                break
        else:
            done.append(target)
            lost = 0
    return done


def _named(text: str, target: Target) -> str:
    """The failure of one object of several names it."""
    return text if target.name in text else f"{text} ({target.label})"


def is_lost(error: KueueError) -> bool:
    """Whether there is no server any more, or none that knows who asks: nothing else will go better."""
    return isinstance(error, ApiError) and error.status in (0, 401)


# --- waiting --------------------------------------------------------------------------------------


def wait_for(
    targets: Sequence[Target],
    reached: Callable[[Target], bool],
    limit: float | None,
    tell: Callable[[Target], None],
) -> None:
    """Look until every object is there where it should be; `limit` in seconds for all together.

    `tell` is called once for an object that takes long. Raises KueueError when the time is over.
    """
    end = None if limit is None else time.monotonic() + limit
    for target in targets:
        long = time.monotonic() + _LONG
        for pause in _pauses():
            if reached(target):
                break
            now = time.monotonic()
            if end is not None and now >= end:
                name = f"{target.kind.plural}/{target.name}"
                raise KueueError(f"timed out waiting for the condition on {name}")
            if now >= long:
                tell(target)
                long = math.inf
            time.sleep(pause if end is None else min(pause, end - now))


_LONG = 3.0


def _pauses() -> Iterator[float]:
    pause = 0.1
    while True:
        yield pause
        pause = min(pause * 1.5, 2.0)


def gone(server: "Server", target: Target) -> bool:
    """Whether the object is not there any more; a new one of the same name is another object."""
    try:
        found = object_of(server.get(target.kind, target.namespace, target.name))
    except ApiError as error:
        if error.status == 404:
            return True
        raise
    known = (target.document or {}).get("metadata", {}).get("uid")
    return known is not None and found["metadata"].get("uid") != known
