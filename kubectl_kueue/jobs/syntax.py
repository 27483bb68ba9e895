"""Which texts are names and keys in Kubernetes (kueuectl.md 0)."""

import re

_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*")
_DOMAIN_PATH = re.compile(r"([^/]+)/([A-Za-z0-9/\-._~%!$&'()*+,;=:]+)")


def is_subdomain(text: str) -> bool:
    """Whether the text is a lower-case RFC 1123 subdomain."""
    return len(text) <= 253 and _SUBDOMAIN.fullmatch(text) is not None


def is_domain_path(text: str) -> bool:
    """Whether the text is DOMAIN/PATH."""
    found = _DOMAIN_PATH.fullmatch(text)
    return found is not None and is_subdomain(found[1])
