"""The program: runs the command line, and is the only place that turns an exception into an exit code."""

import io
import os
import sys

from kubectl_kueue.completion.ready import ready_answer
from kubectl_kueue.errors import ApiError, KueueError, UsageError

# Whoever presses TAB waits for the imports: typing and the session come when they are needed.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

INTERRUPTED = 130


def main(arguments: "Sequence[str] | None" = None) -> int:
    """Run `arguments` (None: those of the process) and return the exit code.

    0 done; 1 for every failure, a wrong command line included, as kubectl has it; 130 for Ctrl-C; the codes
    of --exit-code. A closed pipe is no failure. KUEUE_DEBUG=1 prints tracebacks.
    """
    words = sys.argv[1:] if arguments is None else arguments
    if words and words[0] in ("__complete", "__completeNoDesc"):
        from kubectl_kueue.completion.protocol import main as complete

        return complete(list(words))
    try:
        if arguments is None:
            _leave_when_interrupted()
        return _run(words)
    except KeyboardInterrupt:  # while the program was still being loaded
        return INTERRUPTED


def _leave_when_interrupted() -> None:
    """End soon after Ctrl-C, also where threads still wait for an answer of the server."""
    import atexit
    import signal

    def interrupt(*_: object) -> None:
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, lambda *_: os._exit(INTERRUPTED))
            signal.setitimer(signal.ITIMER_REAL, 0.5)
            # By then no thread holds it up any more, and soon nobody handles signals.
            atexit.register(signal.setitimer, signal.ITIMER_REAL, 0)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # not if it is ignored (nohup)
        signal.signal(signal.SIGINT, interrupt)


def _run(words: "Sequence[str]") -> int:
    from kubectl_kueue.cli.session import Session

    session = Session()
    try:
        if sys.stdout is None:  # so is it when the process was started without one
            raise KueueError("standard output is closed, there is nowhere to print to")
        for stream in (sys.stdout, sys.stderr):
            _write_utf8(stream)
        if (answer := ready_answer(words, _program())) is not None:
            sys.stdout.write(answer)
        else:
            from kubectl_kueue.cli.app import run

            run(words, _program(), session)
        sys.stdout.flush()
    except KueueError as error:
        _complain(
            error, session.usage if isinstance(error, UsageError) else "", kubectl=session.kubectl_errors
        )
        return error.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _silence_stdout()
    except OSError as error:
        if error.filename is None:
            _silence_stdout()
        _complain(KueueError(": ".join(filter(None, (error.filename, error.strerror)))), "")
        return 1
    except MemoryError:
        _complain(KueueError("there is not enough memory for this"), "")
        return 1
    except Exception as error:
        if type(error).__module__.startswith("msgspec"):  # a number that no JSON of Kubernetes has: 1e999
            _complain(KueueError(f"an object has a value that cannot be read: {error}"), "")
            return 1
        _complain(error, "This is a bug in kubectl-kueue; KUEUE_DEBUG=1 shows the traceback.")
        return 1
    finally:
        session.close()
    return session.exit_code


def _write_utf8(stream: "TextIO | None") -> None:
    """The same bytes everywhere, whatever the locale says."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _program() -> str:
    """What the user typed: kubectl runs the file kubectl-kueue for `kubectl kueue`."""
    name = os.path.basename(sys.argv[0]).removesuffix(".exe")
    return name if name == "kueuectl" else "kubectl kueue"


def _complain(error: Exception, advice: str, *, kubectl: bool = False) -> None:
    """One line about what went wrong; in kubectl's form (`Error from server (NotFound): ...`) where asked."""
    from kubectl_kueue.output.text import visible

    if os.environ.get("KUEUE_DEBUG"):
        import traceback

        traceback.print_exception(error)
    if sys.stderr is None:
        return
    words = str(error) if isinstance(error, KueueError) else f"{type(error).__name__}: {error}"
    reason = error.reason if kubectl and isinstance(error, ApiError) else ""
    start = f"Error from server ({reason})" if reason else "error" if kubectl else "Error"
    sys.stderr.write(f"{start}: {visible(words)}\n")
    if advice:
        sys.stderr.write(advice.rstrip("\n") + "\n")


def _silence_stdout() -> None:
    """Keep the interpreter from flushing into a closed pipe or a full disk once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
