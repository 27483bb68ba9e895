"""Which API server, and as whom: kubectl's connection flags as they stand on a command line."""

import re
from typing import NamedTuple

from kubectl_kueue.errors import ConfigError


class Connection(NamedTuple):
    """One field a flag. What is not given comes from the kubeconfig; None and () mean not given."""

    kubeconfig: str | None = None
    context: str | None = None
    cluster: str | None = None
    user: str | None = None
    namespace: str | None = None
    server: str | None = None
    token: str | None = None
    as_user: str | None = None
    as_uid: str | None = None
    as_group: tuple[str, ...] = ()
    as_user_extra: tuple[str, ...] = ()
    client_certificate: str | None = None
    client_key: str | None = None
    certificate_authority: str | None = None
    insecure_skip_tls_verify: bool = False
    tls_server_name: str | None = None
    request_timeout: str = "0"
    cache_dir: str | None = None
    disable_compression: bool = False


_PART = re.compile(r"([0-9]*(?:\.[0-9]*)?)(ns|us|µs|μs|ms|s|m|h)")
_SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}


def parse_timeout(text: str) -> float:
    """Seconds of a --request-timeout: "30", "1m30s", "1.5h"; 0 stands for no limit.

    Raises ConfigError, in kubectl's words.
    """
    digits = text[1:] if text[:1] in ("+", "-") else text
    seconds = _duration(f"{digits}s" if digits.isascii() and digits.isdigit() else digits)
    return 0.0 if text.startswith("-") else seconds


def _duration(text: str) -> float:
    seconds, at = 0.0, 0
    while at < len(text):
        part = _PART.match(text, at)
        if part is None or part[1] in ("", "."):
            at = -1
            break
        seconds += float(part[1]) * _SECONDS[part[2]]
        at = part.end()
    if at <= 0 or seconds > 2**63 / 1e9:
        raise ConfigError(
            "Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a "
            "corresponding time unit (e.g. 1s | 2m | 3h)"
        )
    return seconds
