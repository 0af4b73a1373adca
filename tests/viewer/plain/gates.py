"""What stands before a viewer that has users: an OpenID provider, and a proxy that names the subject in a header."""

import base64
import json
import secrets
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256


def _text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _number(value: int) -> str:
    return _text(value.to_bytes((value.bit_length() + 7) // 8, "big"))


class Provider:
    """An OpenID Connect provider that logs everybody in as `subject` (authorization code with PKCE, RS256)."""

    def __init__(self, client: str, secret: str) -> None:
        self.client, self.secret, self.subject = client, secret, ""
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.asked: dict[str, dict[str, str]] = {}
        self.issuer = ""

    def metadata(self) -> dict[str, object]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/keys",
            "response_types_supported": ["code"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }

    def keys(self) -> dict[str, object]:
        numbers = self.key.public_key().public_numbers()
        public = {"kty": "RSA", "kid": "1", "use": "sig", "alg": "RS256"}
        return {"keys": [{**public, "n": _number(numbers.n), "e": _number(numbers.e)}]}

    def authorize(self, query: str) -> str:
        """Return where the browser goes next."""
        asked = dict(parse_qsl(query))
        assert asked["client_id"] == self.client
        assert asked["response_type"] == "code"
        code = secrets.token_urlsafe(16)
        self.asked[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, body: str, authorization: str) -> dict[str, object]:
        given = {name: values[0] for name, values in parse_qs(body).items()}
        basic = base64.b64encode(f"{self.client}:{self.secret}".encode()).decode()
        assert authorization == f"Basic {basic}"
        asked = self.asked.pop(given["code"])
        assert _text(sha256(given["code_verifier"].encode()).digest()) == asked["code_challenge"]
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": self.client, "sub": self.subject, "nonce": asked["nonce"], "iat": now}
        head = _text(json.dumps({"alg": "RS256", "kid": "1", "typ": "JWT"}).encode())
        signed = f"{head}.{_text(json.dumps({**claims, 'exp': now + 600}).encode())}"
        signature = _text(self.key.sign(signed.encode(), padding.PKCS1v15(), SHA256()))
        return {"access_token": "a", "token_type": "Bearer", "expires_in": 600, "id_token": f"{signed}.{signature}"}


@contextmanager
def providing(provider: Provider) -> Iterator[Provider]:
    """Let a provider answer on a port of this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            if address.path == "/authorize":
                self.send_response(302)
                self.send_header("Location", provider.authorize(address.query))
                self.end_headers()
            elif address.path == "/keys":
                self._json(provider.keys())
            else:
                self._json(provider.metadata())

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._json(provider.token(body, self.headers["Authorization"]))

        def _json(self, found: dict[str, object]) -> None:
            data = json.dumps(found).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the library's name
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()


class Front:
    """A reverse proxy: sets the header `name` to `subject` in what it passes on, and takes away what clients sent."""

    def __init__(self, target: str, name: str) -> None:
        host, _, port = target.removeprefix("http://").partition(":")
        self.target, self.name, self.subject = (host, int(port)), name, ""
        self.open = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.open.getsockname()[1]}"

    def run(self) -> None:
        """Serve until the socket is closed, a connection a thread."""
        with suppress(OSError):
            while True:
                client, _ = self.open.accept()
                Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client, socket.create_connection(self.target) as server:
            data = b""
            while b"\r\n\r\n" not in data:
                more = client.recv(65536)
                if not more:
                    return
                data += more
            head, _, rest = data.partition(b"\r\n\r\n")
            dropped = {self.name.lower().encode()}
            if b"upgrade: websocket" not in head.lower():
                dropped.add(b"connection")  # one request a connection: the next has a head of its own
            first, *fields = head.split(b"\r\n")
            kept = [first, *(each for each in fields if each.split(b":")[0].lower() not in dropped)]
            kept += [b"Connection: close"] if b"connection" in dropped else []
            kept += [f"{self.name}: {self.subject}".encode()] if self.subject else []
            server.sendall(b"\r\n".join(kept) + b"\r\n\r\n" + rest)
            back = Thread(target=_pass_on, args=(server, client), daemon=True)
            back.start()
            _pass_on(client, server)
            back.join()


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


@contextmanager
def fronting(target: str, name: str) -> Iterator[Front]:
    """Let a proxy stand before a viewer."""
    front = Front(target, name)
    Thread(target=front.run, daemon=True).start()
    try:
        yield front
    finally:
        front.open.close()
