"""Until when is a certificate valid? Read from X.509 itself (RFC 5280, 4.1), nothing of which is trusted.

Just as much DER is understood as it takes to walk to the field notAfter.
"""

from binascii import Error, a2b_base64
from collections.abc import Iterator
from datetime import UTC, datetime

from kubectl_kueue.model.timestamp import SECOND

_BEGIN, _END = b"-----BEGIN CERTIFICATE-----", b"-----END CERTIFICATE-----"
_SEQUENCE, _VERSION = 0x30, 0xA0
_FORMATS = {0x17: "%y%m%d%H%M%SZ", 0x18: "%Y%m%d%H%M%SZ"}  # UTCTime, GeneralizedTime


def expiries(encoded: str) -> list[int] | None:
    """notAfter of each certificate in base64 of PEM blocks, as Kubernetes stores them, in microseconds since
    1970. None if any of it cannot be read, or if there is none."""
    try:
        found = [_not_after(block) for block in _blocks(a2b_base64(encoded))]
    except (Error, ValueError, IndexError):
        return None
    return found or None


def _blocks(pem: bytes) -> Iterator[bytes]:
    for part in pem.split(_BEGIN)[1:]:
        yield a2b_base64(part.partition(_END)[0])


def _not_after(der: bytes) -> int:
    certificate, _ = _value(der, 0, _SEQUENCE)
    body, _ = _value(certificate, 0, _SEQUENCE)
    offset = _end(body, 0) if body[0] == _VERSION else 0
    for _ in range(3):  # serial number, signature, issuer
        offset = _end(body, offset)
    validity, _ = _value(body, offset, _SEQUENCE)
    start = _end(validity, 0)
    text = validity[slice(*_span(validity, start))].decode("ascii")
    moment = datetime.strptime(text, _FORMATS.get(validity[start], "")).replace(tzinfo=UTC)
    return int(moment.timestamp()) * SECOND


def _value(der: bytes, offset: int, tag: int) -> tuple[bytes, int]:
    """The content of the element at `offset`, which must have this tag, and where the next one begins."""
    if der[offset] != tag:
        raise ValueError
    begin, end = _span(der, offset)
    return der[begin:end], end


def _end(der: bytes, offset: int) -> int:
    return _span(der, offset)[1]


def _span(der: bytes, offset: int) -> tuple[int, int]:
    """Where the content of the element at `offset` begins and ends."""
    length, begin = der[offset + 1], offset + 2
    if length & 0x80:
        size = length & 0x7F
        if not 0 < size <= 4:
            raise ValueError
        length, begin = int.from_bytes(der[begin : begin + size]), begin + size
    if begin + length > len(der):
        raise ValueError
    return begin, begin + length
