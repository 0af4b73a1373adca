"""Time tokens: a time-stamping authority's word that a checkpoint stood at some second (RFC 3161; ledger.md 3).

    request   DER TimeStampReq over the SHA-512 of the checkpoint's text, with a nonce, the signer's certificate wanted
    token     DER TimeStampResp, as the authority answered; a `time` entry of the main log keeps it in hex

A token is believed where its signature leads to a pinned root certificate, as of the second it states, through a
certificate made for time-stamping alone, and where it is over exactly this text. It then says that the text existed at
latest at the end of an interval: its second (to the millisecond where it says so), give or take its accuracy. The
authority must take SHA-512; OpenSSL's `digests` must list it.

Needs the extra `[time]` (rfc3161-client); without it nothing here but `available` may be used.
"""

from collections.abc import Sequence
from hashlib import sha256, sha384, sha512
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from cryptography.x509 import Certificate, load_pem_x509_certificates

from ledger.errors import Malformed, Unavailable, Untrusted

if TYPE_CHECKING:
    from rfc3161_client import TimeStampResponse

MAX_BYTES: Final = 16_384
_WHAT: Final = "time token"
_HASHES: Final = {
    "2.16.840.1.101.3.4.2.1": sha256,
    "2.16.840.1.101.3.4.2.2": sha384,
    "2.16.840.1.101.3.4.2.3": sha512,
}


class Interval(NamedTuple):
    """When a token was made: not before `first`, not after `last` (ms UTC)."""

    first: int
    last: int


def available() -> bool:
    """Tell whether the extra `[time]` is installed."""
    return find_spec("rfc3161_client") is not None


def need_extra(target: str) -> None:
    """Refuse to go on without the extra."""
    if not available():
        raise Unavailable(target, "time tokens need the extra: pip install 'paipu[time]'")


class Query(NamedTuple):
    """A request in DER, and the nonce that its answer must repeat."""

    der: bytes
    nonce: int


def make_query(text: bytes) -> Query:
    """Make the request for a token over a checkpoint's text, with a fresh nonce."""
    from rfc3161_client import TimestampRequestBuilder

    request = TimestampRequestBuilder().data(text).nonce(nonce=True).build()
    nonce = request.nonce
    assert nonce is not None
    return Query(request.as_bytes(), nonce)


def make_request(text: bytes) -> bytes:
    """Make the DER request for a token over a checkpoint's text, to be sent by other means."""
    return make_query(text).der


def read_roots(pem: bytes, target: str) -> tuple[Certificate, ...]:
    """Read the pinned root certificates, PEM; Unavailable where there is none."""
    try:
        return tuple(load_pem_x509_certificates(pem))
    except ValueError:
        raise Unavailable(target, "no PEM certificates") from None


def _decode(token: bytes) -> "TimeStampResponse":
    from rfc3161_client import PKIStatus, decode_timestamp_response

    if len(token) > MAX_BYTES:
        raise Malformed(_WHAT, f"{len(token)} bytes, at most {MAX_BYTES} are allowed")
    try:
        answer = decode_timestamp_response(token)
        granted = answer.status == PKIStatus.GRANTED
        again = answer.as_bytes()
    except ValueError as error:
        raise Malformed(_WHAT, f"no RFC 3161 response ({str(error)[:80]})") from None
    if not granted:
        raise Malformed(_WHAT, f"the authority refused: status {answer.status} {'; '.join(answer.status_string)[:200]}")
    if again != token:
        raise Malformed(_WHAT, "not the one spelling of this response")
    return answer


def read_token(token: bytes, text: bytes) -> Interval:
    """Read when a token says it was made, believing no signature.

    Malformed where it is no granted response; Untrusted, code `time`, where it is over something else than `text`.
    """
    answer = _decode(token)
    try:
        imprint = answer.tst_info.message_imprint
        made = _HASHES.get(imprint.hash_algorithm.dotted_string)
        found = _interval(answer)
        fits = made is not None and imprint.message == made(text).digest()
    except ValueError as error:
        raise Malformed(_WHAT, f"no RFC 3161 response ({str(error)[:80]})") from None
    if not fits:
        raise Untrusted("time", "the token is not over this checkpoint", token)
    return found


def check_answer(token: bytes, nonce: int) -> None:
    """Check that an authority answered the request of this nonce: the token repeats it (RFC 3161, 2.4.2).

    A token of an earlier request over the same text, played again, is genuine and would still be no answer. Malformed
    where it is no granted response; Untrusted, code `time`, where the nonce is another or missing.
    """
    try:
        found = cast("int | None", _decode(token).tst_info.nonce)
    except ValueError as error:
        raise Malformed(_WHAT, f"no RFC 3161 response ({str(error)[:80]})") from None
    if found != nonce:
        told = "has no nonce" if found is None else "has another nonce"
        raise Untrusted("time", f"the token is no answer to this request: it {told}", token)


def check_token(token: bytes, text: bytes, roots: Sequence[Certificate]) -> Interval:
    """Verify a token over a checkpoint's text; give when it was made.

    Malformed as `read_token`; Untrusted, code `time`, where its signature leads to none of the roots.
    """
    from rfc3161_client import VerificationError, VerifierBuilder

    found = read_token(token, text)
    try:
        VerifierBuilder(roots=list(roots)).build().verify_message(_decode(token), text)
    except (VerificationError, ValueError) as error:
        raise Untrusted("time", f"the token does not verify: {' '.join(str(error).split())[:160]}", token) from None
    return found


def _interval(answer: "TimeStampResponse") -> Interval:
    info = answer.tst_info
    made = info.gen_time
    whole = int(made.timestamp()) * 1000
    doubt = 0
    if info.accuracy is not None:
        doubt = info.accuracy.seconds * 1000 + (info.accuracy.millis or 0) + (1 if info.accuracy.micros else 0)
    millis = made.microsecond // 1000
    # A time without a fraction names a second, and may lie anywhere in it.
    return Interval(whole + millis - doubt, whole + (millis or 999) + doubt)
