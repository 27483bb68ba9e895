"""What went wrong on the way to a server, or there, in one line: in kubectl's words where it has them."""

import json
import re
import socket
import ssl
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from kubectl_kueue.errors import ApiError


class ExpiredError(ApiError):
    """410: a token for the next page is too old. `token` is what the server offers instead, "" if nothing."""

    token = ""  # nosec B105


def refusal(status: int, body: bytes, method: str, what: str) -> ApiError:
    """The answer with a status that is not good, as an error: its Status object if it has one."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and value.get("kind") == "Status" and isinstance(value.get("message"), str):
        return _of_status(status, value)
    if status == 401:
        return ApiError("Unauthorized", status=401, reason="Unauthorized")
    text = " ".join(body[:300].decode(errors="replace").split())
    reason, message = _GENERIC.get(status, ("", ""))
    if not message:
        message = text or f"status {status}"
        if status >= 500:
            message = (
                f'an error on the server ("{text or "unknown"}") has prevented the request from succeeding'
            )
    elif status == 400 and text:
        message = f"{message}: {text}"
    kind = ExpiredError if status == 410 else ApiError
    return kind(message + (f" ({method.lower()} {what})" if what else ""), status=status, reason=reason)


def _of_status(status: int, value: dict[str, Any]) -> ApiError:
    message = value["message"] or f"status {status}"
    reason = str(value.get("reason") or "")
    if status != 410:
        return ApiError(message, status=status, reason=reason)
    error = ExpiredError(message, status=status, reason=reason)
    metadata = value.get("metadata")
    if isinstance(metadata, dict) and isinstance(metadata.get("continue"), str):
        error.token = metadata["continue"]
    return error


_GENERIC = {
    400: ("BadRequest", "the server rejected our request"),
    404: ("NotFound", "the server could not find the requested resource"),
    405: ("MethodNotAllowed", "the server does not allow this method on the requested resource"),
    409: ("Conflict", "the server reported a conflict"),
    422: ("Invalid", "the server rejected our request due to an error in our request"),
    429: (
        "TooManyRequests",
        "the server has received too many requests and has asked us to try again later",
    ),
    503: ("ServiceUnavailable", "the server is currently unable to handle the request"),
    504: ("Timeout", "the server was unable to return a response in the time allotted"),
}


# --- the network --------------------------------------------------------------------------------


class ConnectTimeout(OSError):
    """No connection in time; not a TimeoutError, which is the silence of a server that was reached."""


def is_late(error: BaseException) -> bool:
    """Whether a server that was reached said nothing in time."""
    return isinstance(error, (TimeoutError, *_urllib3("ReadTimeoutError")))


def is_cut(error: BaseException) -> bool:
    """Whether the connection was there, and ended before the answer began."""
    if isinstance(error, (*_urllib3("ProtocolError"), *_urllib3("SSLError"))):
        return any(isinstance(link, _ENDS) for link in _chain(error))
    return isinstance(error, _ENDS)


_ENDS = (
    ConnectionResetError,  # RemoteDisconnected is one
    BrokenPipeError,
    ConnectionAbortedError,
    ssl.SSLEOFError,
    ssl.SSLZeroReturnError,
)


def _urllib3(name: str) -> tuple[type[BaseException], ...]:
    """An exception class of urllib3 if anything has loaded that; without it none was raised."""
    library = sys.modules.get("urllib3")
    return (getattr(library.exceptions, name),) if library is not None else ()


def late(seconds: float) -> str:
    """What is said when the time is over."""
    return (
        f"context deadline exceeded: no complete answer within {seconds:g}s; "
        "allow more time with --request-timeout"
    )


def unfinished(seconds: float) -> str:
    """What is said of a server that takes connections and makes nothing of them."""
    return f"TLS handshake timeout: the server was reached, but did not finish it in {seconds:g}s"


def cause(error: BaseException, server: str) -> str:
    """Why no answer came."""
    for link in _chain(error):
        if isinstance(link, ssl.SSLCertVerificationError):
            return _certificate(link)
        if isinstance(link, ssl.SSLError):
            return _tls(link)
    if isinstance(error, _urllib3("ProxyError")):
        return f"the proxy failed: {_plain(getattr(error, 'original_error', error), '')}"
    return _plain(error, server)


def _plain(error: BaseException, server: str) -> str:
    too_late = (ConnectTimeout, *_urllib3("ConnectTimeoutError"))
    for link in _chain(error):
        if isinstance(link, socket.gaierror):
            return f"dial tcp: lookup {_host(server)}: no such host" if server else "no such host"
        if type(link) in too_late:  # a child of urllib3's stands for other causes too
            return f"dial tcp {_address(server)}: i/o timeout: the server cannot be reached from here"
        if type(link).__name__ == "RemoteDisconnected":
            return "EOF: the server closed the connection without an answer"
        if isinstance(link, ConnectionResetError | BrokenPipeError | ConnectionAbortedError):
            return "connection reset by peer"
        if type(link).__name__ == "BadStatusLine":
            return "malformed HTTP response: there is no API server at this address, or it speaks https"
    for link in _chain(error):
        if isinstance(link, OSError) and link.strerror and link.errno:
            text = link.strerror.lower()
            return f"dial tcp {_address(server)}: connect: {text}" if server else text
    inner = error.args[1] if len(error.args) > 1 and isinstance(error.args[1], Exception) else error
    return _USER_INFO.sub("//", " ".join(str(inner).split())) or type(error).__name__


_USER_INFO = re.compile(r"//\S*@")


def told(url: str) -> str:
    """An address, right or wrong, as it may be shown: without a user and password, without a query."""
    scheme, sign, rest = re.split("[?#]", url)[0].rpartition("://")
    return scheme + sign + rest.rpartition("@")[2]


def _certificate(error: ssl.SSLCertVerificationError) -> str:
    text = (error.verify_message or "unknown reason").rstrip(".")
    advice = ""
    if error.verify_code in (18, 19, 20, 21, 2):
        advice = ": it is signed by an authority that is not in certificate-authority of the kubeconfig"
    elif error.verify_code in (62, 64):
        advice = ": give the name in it with --tls-server-name, or another --server"
    return f"tls: failed to verify certificate: {text}{advice}"


def _tls(error: ssl.SSLError) -> str:
    reason = (error.reason or "").replace("_", " ").lower() or "unknown reason"
    if error.reason in (
        "WRONG_VERSION_NUMBER",
        "RECORD_LAYER_FAILURE",
        "HTTP_REQUEST",
        "PACKET_LENGTH_TOO_LONG",
    ):
        return "tls: the server does not speak TLS at this port: is it http://?"
    if error.reason in ("TLSV13_ALERT_CERTIFICATE_REQUIRED", "SSLV3_ALERT_BAD_CERTIFICATE"):
        return f"tls: {reason}: the server wants a client certificate that it knows"
    if error.reason in ("KEY_VALUES_MISMATCH",):
        return "tls: client-key and client-certificate do not belong together"
    if error.reason in ("NO_START_LINE", "PEM_LIB", "BAD_BASE64_DECODE") or reason == "pem lib":
        return "tls: a certificate or key of the kubeconfig is not valid PEM"
    return f"tls: {reason}"


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error, what it wraps and what it comes from."""
    seen: list[BaseException] = []
    waiting: list[Any] = [error]
    while waiting:
        link = waiting.pop(0)
        if not isinstance(link, BaseException) or any(link is other for other in seen):
            continue
        seen.append(link)
        yield link
        waiting += [getattr(link, "original_error", None), *link.args, link.__cause__, link.__context__]


def _host(server: str) -> str:
    return urlsplit(server).hostname or server


def _address(server: str) -> str:
    parts = urlsplit(server)
    host = parts.hostname or ""
    return f"{f'[{host}]' if ':' in host else host}:{parts.port or (443 if parts.scheme == 'https' else 80)}"


# --- headers and environment --------------------------------------------------------------------

_WARNING = re.compile(r'299\s+\S+\s+"((?:[^"\\]|\\.)*)"')


def warning_texts(header: str) -> Iterator[str]:
    """The texts in a Warning header of an API server."""
    for match in _WARNING.finditer(header):
        if text := re.sub(r"\\(.)", r"\1", match[1]):
            yield text


def in_networks(host: str, excluded: str) -> bool:
    """Whether an address is in one of the networks (10.0.0.0/8) of a $NO_PROXY."""
    import ipaddress

    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    for entry in excluded.split(","):
        try:
            if "/" in entry and address in ipaddress.ip_network(entry.strip(), strict=False):
                return True
        except ValueError:
            continue
    return False
