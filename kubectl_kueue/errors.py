"""What can go wrong, as a user meets it: one line, an exit code.

Raise where it is known, catch only in __main__. Every message says what, where and what to do.
"""


class KueueError(Exception):
    """A failure that the user can act on."""

    exit_code = 1


class UsageError(KueueError):
    """The command line is wrong; the usage line is shown with it."""


class ConfigError(KueueError):
    """Flags that contradict each other, or a kubeconfig that does not lead anywhere."""


class InputError(KueueError):
    """A file that is not what it says it is: file, document, line, JSON pointer."""


class NotFoundError(KueueError):
    """What was asked for is not there; the message names what is near."""


class ApiError(KueueError):
    """What an API server answered instead of doing it, in its own words; `status` is the HTTP status (0: no
    answer came), `reason` the reason of its Status object ("NotFound", "Forbidden", ...; "" if unknown).
    """

    def __init__(self, message: str, *, status: int = 0, reason: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.reason = reason
