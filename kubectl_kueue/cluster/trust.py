"""Whom TLS trusts."""

import ssl
from typing import Any


def new_context(authority: str | None, data: str | None = None, *, insecure: bool = False) -> ssl.SSLContext:
    """A context that trusts the authorities of a file or of a PEM text, else those of the system.

    Python 3.13 refuses authorities without the identifiers that RFC 5280 asks for; many clusters have such,
    and kubectl takes them. Everything else is verified.
    """
    from urllib3.util.ssl_ import create_urllib3_context

    context: Any = create_urllib3_context(cert_reqs=ssl.CERT_NONE if insecure else ssl.CERT_REQUIRED)
    context.verify_flags &= ~getattr(ssl, "VERIFY_X509_STRICT", 0)
    if authority or data:
        context.load_verify_locations(authority or None, cadata=data or None)
    else:
        context.load_default_certs()
    return context  # type: ignore[no-any-return]
