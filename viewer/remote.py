"""The network side of mirrors and witnesses: fetch a published log, ask witnesses; bounded, and every failure told.

Only the standard library. A URL of another scheme than http or https is refused before anything is opened.
"""

from dataclasses import dataclass
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.request import Request, build_opener

from ledger.errors import Malformed, Unavailable
from ledger.head import parse_decimal
from ledger.merkle import prove_consistency
from ledger.witness import SIZE_TYPE, Submission

TIMEOUT_S = 20
MOST_BYTES = 1 << 28
_OPENER = build_opener()


def web_url(url: str) -> str:
    """Return an http or https URL without its last slash; Unavailable where it is none."""
    if not url.startswith(("http://", "https://")):
        raise Unavailable(url, "not an http or https URL")
    return url.rstrip("/")


@dataclass(frozen=True, slots=True)
class UrlSource:
    """A published log on a web server (`ledger.published.Source`)."""

    target: str

    def fetch(self, path: str) -> bytes | None:
        """Return the bytes at a path below the prefix, None for 404."""
        status, body, _ = _ask(Request(f"{web_url(self.target)}/{path}"))  # noqa: S310  web_url lets http(s) pass only
        if status == 404:
            return None
        if status != 200:
            raise Unavailable(self.target, f"{path}: HTTP status {status}")
        return body


def ask_witness(url: str, note: bytes, leaves: list[bytes]) -> tuple[int, bytes]:
    """Submit a checkpoint to a witness; return its last status and body.

    `leaves` are those under the checkpoint. The size the witness has is learnt from its 409.
    """
    old = 0
    for _ in range(3):
        proof = prove_consistency(leaves, old) if 0 < old <= len(leaves) else ()
        data = Submission(old, proof, note).format()
        status, body, kind = _ask(Request(f"{web_url(url)}/add-checkpoint", data, method="POST"))  # noqa: S310
        if status != 409 or kind != SIZE_TYPE:
            break
        try:
            old = parse_decimal(body.decode("ascii", "replace").removesuffix("\n"), "size")
        except Malformed:
            raise Unavailable(url, "its 409 names no size") from None
    return status, body


def _ask(request: Request) -> tuple[int, bytes, str]:
    try:
        with _OPENER.open(request, timeout=TIMEOUT_S) as answer:
            body = answer.read(MOST_BYTES + 1)
            status, kind = answer.status, answer.headers.get_content_type()
    except HTTPError as error:
        with error:
            return error.code, error.read(65_536), error.headers.get_content_type()
    except (URLError, HTTPException, OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise Unavailable(request.full_url, f"no answer: {reason}") from None
    if len(body) > MOST_BYTES:
        raise Unavailable(request.full_url, f"more than {MOST_BYTES} bytes")
    return status, body, kind
