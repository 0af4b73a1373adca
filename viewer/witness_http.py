"""A witness as an HTTP service (C2SP tlog-witness; ledger.md 2).

    POST /add-checkpoint                      the request of `ledger.witness`; its status codes
    GET  /<hex SHA-256 of the origin>/checkpoint   the last head cosigned

Requests are answered by threads; the state's compare-and-swap keeps them apart. A body may be as long as a note and no
longer (413), a method or path of no meaning is 405 or 404, and whatever fails inside is 500 without a word of it.
"""

import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ledger.errors import LedgerError
from ledger.note import MAX_BYTES
from ledger.witness import Answer, Witness

_SHOWN = re.compile(r"/([0-9a-f]{64})/checkpoint")
_WAIT_S = 20


class WitnessServer(ThreadingHTTPServer):
    """The service; `server_address` is where it answers."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], witness: Witness) -> None:
        self.witness = witness
        super().__init__(address, _Handler)


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    server_version = "paipu-witness"
    sys_version = ""
    timeout = _WAIT_S
    server: WitnessServer

    def do_POST(self) -> None:
        """Answer a request to cosign."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdecimal() and len(length) < 10):
            self._send(Answer(411, b"a Content-Length is needed\n"), close=True)
        elif int(length) > MAX_BYTES:
            self._send(Answer(413, b"the request is too long\n"), close=True)
        else:
            data = self.rfile.read(int(length))
            if self.path != "/add-checkpoint":
                self._send(Answer(404, b"POST goes to /add-checkpoint\n"))
            elif len(data) != int(length):
                self._send(Answer(400, b"the request was cut off\n"), close=True)
            else:
                self._send(self._safely(data, ""))

    def do_GET(self) -> None:
        """Show the last head of a log."""
        found = _SHOWN.fullmatch(self.path)
        if found is None:
            self._send(Answer(404, b"/<hex SHA-256 of the origin>/checkpoint was expected\n"))
        else:
            self._send(self._safely(None, found.group(1)))

    def _safely(self, data: bytes | None, name: str) -> Answer:
        try:
            return self.server.witness.latest(name) if data is None else self.server.witness.add_checkpoint(data)
        except (LedgerError, OSError) as error:
            sys.stderr.write(f"paipu: witness: {error}\n")
            return Answer(500, b"the witness cannot answer now\n")

    def _send(self, answer: Answer, *, close: bool = False) -> None:
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.content_type)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        if close:
            self.send_header("Connection", "close")
            self.close_connection = True
        self.end_headers()
        self.wfile.write(answer.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name of the base class
        """Keep quiet: no addresses are logged."""
