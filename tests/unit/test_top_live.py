"""A view that is renewed: what is shown while a server is slow or lost, and how it ends."""

import io
from collections.abc import Callable, Sequence
from threading import Event

import pytest
import yaml

from kubectl_kueue.cli.again import again
from kubectl_kueue.cli.session import Session
from kubectl_kueue.cluster.kinds import kind_named
from kubectl_kueue.errors import KueueError
from kubectl_kueue.output import live
from kubectl_kueue.output.live import fill_screen, repeat
from kubectl_kueue.output.progress import Progress
from kubectl_kueue.views.page import Column, Document, Page, Table, Text
from kubectl_kueue.views.words.watching import BACK, lost_words, more_words, watch_words
from tests.conftest import Kueue


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def in_turn(steps: Sequence[object]) -> Callable[[], object]:
    """Gives one after the other, raises what is an exception, and is interrupted at the end."""
    left = iter(steps)

    def make() -> object:
        step = next(left, KeyboardInterrupt())
        if isinstance(step, BaseException):
            raise step
        return step

    return make


def repeated(
    *steps: object, between: str = "\n", fingerprint: Callable[[object], object] | None = None
) -> tuple[str, list[str]]:
    stream, complaints = io.StringIO(), []
    with pytest.raises(KeyboardInterrupt):
        repeat(
            in_turn(steps),
            lambda answer: stream.write(f"{answer}\n") and None,
            stream,
            0.001,
            complaints.append,
            between,
            fingerprint,
        )
    return stream.getvalue(), complaints


def test_one_table_after_the_other() -> None:
    assert repeated("one", "two") == ("one\n\ntwo\n", [])


def test_documents_of_yaml_are_parted() -> None:
    assert repeated("a: 1", "a: 2", between="---\n")[0] == "a: 1\n---\na: 2\n"


def test_a_lost_server_is_told_and_tried_again() -> None:
    shown, complaints = repeated("one", KueueError("refused"), KueueError("refused"), "two")
    assert shown == "one\n\ntwo\n"
    assert complaints == [lost_words("refused", 0.001), BACK]


def test_what_has_not_changed_is_not_shown_again() -> None:
    steps = ("one", "one", KueueError("refused"), "one", "two")
    shown, complaints = repeated(*steps, fingerprint=lambda answer: answer)
    assert shown == "one\n\ntwo\n"
    assert complaints == [lost_words("refused", 0.001), BACK]


def test_a_server_that_never_answered_is_an_error() -> None:
    with pytest.raises(KueueError, match="refused"):
        repeat(in_turn([KueueError("refused")]), print, io.StringIO(), 0.001, print)


# --- the screen ---------------------------------------------------------------------------------


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Screen:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "8")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(live, "TICK", 0.02)
    return Screen()


def page(*lines: str) -> Page:
    return Page([Table([Column("NAME")], [[line] for line in lines])])


def filled(screen: Screen, *steps: object) -> str:
    with pytest.raises(KeyboardInterrupt):
        fill_screen(in_turn(steps), "top", screen, 0.06)  # type: ignore[arg-type]
    return screen.getvalue()


def test_the_alternate_screen_is_left(screen: Screen) -> None:
    shown = filled(screen, page("team-a"))
    assert "\x1b[?1049h" in shown
    assert shown.rindex("\x1b[?1049l") > shown.rindex("team-a")
    assert "\x1b[?25h" in shown  # the cursor is back


def test_the_last_data_stays_with_the_error(screen: Screen) -> None:
    shown = filled(screen, page("team-a"), KueueError("connection refused"))
    after = shown[shown.index("connection refused") :]
    assert "team-a" in after


def test_a_page_that_is_too_long_says_so(screen: Screen) -> None:
    shown = filled(screen, page(*(f"row-{number}" for number in range(30))))
    assert "row-3" in shown
    assert "row-29" not in shown
    assert "... 26 more lines" in shown


def test_nothing_hostile_reaches_the_screen(screen: Screen) -> None:
    shown = filled(screen, page("a\x1b]0;title\x07b"), KueueError("\x1b[2Jgone"))
    assert "\x1b]0;" not in shown
    assert "\x1b[2J" not in shown.replace("\x1b[2J\x1b[H", "")


def test_no_first_page_is_an_error(screen: Screen) -> None:
    with pytest.raises(KueueError, match="refused"):
        fill_screen(in_turn([KueueError("refused")]), "top", screen, 0.01)  # type: ignore[arg-type]
    assert "\x1b[?1049l" in screen.getvalue()


def test_a_bug_is_not_hidden(screen: Screen) -> None:
    with pytest.raises(ZeroDivisionError):
        fill_screen(in_turn([page("a"), ZeroDivisionError()]), "top", screen, 0.01)  # type: ignore[arg-type]


def test_a_reading_that_hangs_does_not_keep_the_user(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> None:
    released = Event()
    ended: list[int] = []

    def leave(code: int) -> None:
        ended.append(code)
        released.set()

    def interrupted(reader: live._Reader, seconds: float) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os._exit", leave)
    monkeypatch.setattr(live._Reader, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        fill_screen(lambda: released.wait(5) and Page([Text(["late"])]), "top", screen, 0.01)  # type: ignore[arg-type,return-value]
    assert ended == [130]


def test_one_mark_between_documents(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for output in ("yaml", "kyaml"):
        session = Session()
        session.flags.output = output
        look = in_turn([{"a": 1}, {"a": 2}])

        def show(data: object, session: Session = session) -> None:
            session.emit(page=lambda: Page([]), document=lambda: Document(data))

        with pytest.raises(KeyboardInterrupt):
            again(session, look, show, 0.001)
        assert "---\n---" not in (text := capsys.readouterr().out)
        assert len(list(yaml.safe_load_all(text))) == 2


def test_counts_and_patience_begin_with_each_look(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("kubectl_kueue.output.progress.time.monotonic", lambda: now[0])
    screen, kind = Screen(), kind_named("Workload")
    session = Session()
    session._progress = progress = Progress(screen)
    now[0] = 2.0
    progress.reading(kind, 1000)
    session.forget()
    assert screen.getvalue() == "\r\x1b[KReading ... 1000 workloads\r\x1b[K"
    progress.reading(kind, 500)
    assert screen.getvalue().endswith("workloads\r\x1b[K")
    now[0] = 4.0
    progress.reading(kind, 500)
    assert screen.getvalue().endswith("Reading ... 1000 workloads")


# --- words and flags ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("age", "error", "said"),
    [
        (None, "", "top   every 2s   reading ..."),
        (1.5, "", "top   every 2s   up to date"),
        (30.2, "", "top   every 2s   data of 30s ago"),
        (300.0, "refused", "top   every 2s   data of 5m ago   refused"),
    ],
)
def test_the_head_of_the_screen(age: float | None, error: str, said: str) -> None:
    spans = watch_words("top", 2.0, age, error)
    assert "".join(span if isinstance(span, str) else span.text for span in spans) == said


def test_counts() -> None:
    assert [more_words(1), more_words(2)] == ["... 1 more line", "... 2 more lines"]
    assert lost_words("gone", 5.0) == "Warning: gone; trying again every 5s"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0", "0 is not between 100ms and 24h"),
        ("48h", "48h is not between 100ms and 24h"),
        ("٢", "'٢' is not a duration (such as 5m, 1h30m or 500ms)"),
        ("²", "'²' is not a duration (such as 5m, 1h30m or 500ms)"),
        ("9" * 5000, f"{'9' * 80} is not between 100ms and 24h"),
        ("soon", "'soon' is not a duration (such as 5m, 1h30m or 500ms)"),
    ],
)
def test_intervals(kueue: Kueue, text: str, complaint: str) -> None:
    found = kueue("top", "--interval", text, "--snapshot", "examples/snapshot.json")
    assert (found.stderr, found.code) == (f"Error: --interval: {complaint}\n", 1)


def test_what_was_read_can_be_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    session.flags.snapshot = "examples/snapshot.json"
    first = session.source()
    assert session.source() is first
    session.forget()
    assert session.source() is not first
