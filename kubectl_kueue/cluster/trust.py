"""Whom TLS trusts."""

import ssl


def new_context(authority: str | None, data: str | None = None, *, insecure: bool = False) -> ssl.SSLContext:
    """A context that trusts the authorities of a file or of a PEM text, else those of the system.

    Python 3.13 refuses authorities without the identifiers that RFC 5280 asks for; many clusters have such,
    and kubectl takes them. Everything else is verified.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    context.verify_flags &= ~getattr(ssl, "VERIFY_X509_STRICT", 0)
    if authority or data:
        context.load_verify_locations(authority or None, cadata=data or None)
    else:
        context.load_default_certs()
    return context
