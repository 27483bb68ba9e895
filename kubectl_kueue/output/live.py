"""An answer that is made again and again until somebody interrupts it: a full screen on a terminal, else one
after the other.

Making an answer takes as long as the server does, and a lost server gives none. So it is made in a thread of
its own: the screen shows the last one with its age, follows the size of the terminal and obeys Ctrl-C all
the while.
"""

import os
import time
from collections.abc import Callable, Sequence
from itertools import islice
from threading import Condition, Thread
from typing import TYPE_CHECKING, TextIO, TypeVar

from kubectl_kueue.errors import KueueError
from kubectl_kueue.output.layout import Line, lay_out
from kubectl_kueue.output.terminal import NARROWEST, rich_text
from kubectl_kueue.views.page import Cell, Page, Text
from kubectl_kueue.views.words.watching import BACK, lost_words, more_words, watch_words

if TYPE_CHECKING:
    from rich.console import RenderableType

Answer = TypeVar("Answer")

INTERRUPTED = 130
TICK = 0.5
"""Seconds after which a screen is drawn anew at the latest."""


def has_screen(stream: TextIO) -> bool:
    """Whether `stream` is a terminal that can be filled."""
    return stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def repeat(
    make: Callable[[], Answer],
    write: Callable[[Answer], None],
    stream: TextIO,
    interval: float,
    complain: Callable[[str], None],
    between: str = "\n",
    fingerprint: Callable[[Answer], object] | None = None,
) -> None:
    """Write one answer after the other to `stream`, `between` two of them; never returns. With a
    `fingerprint` only those with another than the last.

    Raises KueueError only if the very first answer cannot be made; what goes wrong later is told once by
    `complain`, and so is that all is well again.
    """
    begun, lost, last = False, "", object()
    while True:
        try:
            answer = make()
        except KueueError as error:
            if not begun:
                raise
            if str(error) != lost:
                lost = str(error)
                complain(lost_words(lost, interval))
        else:
            if lost:
                lost = ""
                complain(BACK)
            print_of = fingerprint(answer) if fingerprint is not None else object()
            if print_of != last:
                if begun:
                    stream.write(between)
                write(answer)
                stream.flush()
            begun, last = True, print_of
            del answer
        time.sleep(interval)


def fill_screen(
    make: Callable[[], Page], title: str, stream: TextIO, interval: float, *, wide: bool = False
) -> None:
    """Show one page after the other on the terminal `stream`; never returns. Raises as `repeat` does."""
    from rich.console import Console
    from rich.live import Live

    console = Console(file=stream, highlight=False, markup=False, emoji=False)
    reader = _Reader(make, interval)
    reader.start()
    try:
        with Live(
            console=console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        ) as live:
            while True:
                head = watch_words(title, interval, reader.age, reader.error)
                live.update(_screen(head, reader.page, *console.size, wide=wide), refresh=True)
                reader.wait(TICK)
    except KeyboardInterrupt:
        if reader.busy:  # the threads of a request that hangs would keep the interpreter from ending
            stream.flush()
            os._exit(INTERRUPTED)
        raise


class _Reader(Thread):
    """Makes pages; a daemon, so that a server that does not answer keeps nobody from leaving.

    `error` is what went wrong last, empty if all is well again; `busy`: one is being made.
    """

    def __init__(self, make: Callable[[], Page], interval: float) -> None:
        super().__init__(daemon=True)
        self._make = make
        self._interval = interval
        self._news = Condition()
        self._fatal: BaseException | None = None
        self._taken: float | None = None
        self.page: Page | None = None
        self.error = ""
        self.busy = False

    @property
    def age(self) -> float | None:
        """Seconds since the page was made; None before there is one."""
        return None if self._taken is None else time.monotonic() - self._taken

    def run(self) -> None:
        while self._fatal is None:
            self.busy = True
            try:
                page = self._make()
            except BaseException as error:
                if self.page is None or not isinstance(error, KueueError):
                    self._fatal = error
                self.error = str(error)
            else:
                self.page, self.error, self._taken = page, "", time.monotonic()
            self.busy = False
            with self._news:
                self._news.notify()
            time.sleep(self._interval)

    def wait(self, seconds: float) -> None:
        """Until there is something new, at most so long. Raises what the reader cannot go on from."""
        with self._news:
            if self._fatal is None:
                self._news.wait(seconds)
        if self._fatal is not None:
            raise self._fatal


def _screen(
    head: Sequence[Cell], page: Page | None, width: int, height: int, *, wide: bool = False
) -> "RenderableType":
    """As much as there is room for; what is cut off is counted."""
    from rich.text import Text as RichText

    lines: list[Line] = list(lay_out(Page([Text(head)]), width=max(NARROWEST, width)))
    if page is not None:
        lines.append([])
        body = list(lay_out(page, width=max(NARROWEST, width), wide=wide))
        room = max(1, height - len(lines))
        hidden = len(body) - room
        if hidden > 0:
            lines.extend(islice(body, room - 1))
            lines.extend(lay_out(Page([Text([more_words(hidden + 1)])])))
        else:
            lines.extend(body)
    shown = RichText("\n").join(rich_text(line) for line in lines[:height])
    shown.no_wrap, shown.overflow = True, "crop"
    return shown
