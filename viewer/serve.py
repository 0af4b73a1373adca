"""Serve the app on this machine: one process, no telemetry, no traceback on a page, security headers on every answer.

The headers are those of viewer.md 5. The content policy allows two inline scripts by their hashes, that of Streamlit's
own index page and one of ours, and `blob:` for our inline component; nothing is loaded from another host.
"""

import base64
import os
import re
import socket
import webbrowser
from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from threading import Thread, Timer
from typing import Any, Final

import streamlit as st
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ledger.errors import Unavailable

APP: Final = Path(__file__).with_name("app.py")
OPTIONS: Final[Mapping[str, Any]] = {
    "browser.gatherUsageStats": False,
    "client.showErrorDetails": "none",
    "client.showErrorLinks": False,
    "client.toolbarMode": "minimal",
    "logger.hideWelcomeMessage": True,
    "server.fileWatcherType": "none",
    "server.headless": True,
    "server.maxUploadSize": 1,
    "server.runOnSave": False,
}
"""What every run of the viewer is configured with, beside address and port."""
HERE: Final = "window.__streamlit = { BACKEND_BASE_URL: new URL('./', location.href).href }"
"""Tells Streamlit's page where its server is: below the address of a page it would look for it there first, in vain."""
HEAVY: Final = ("pandas", "pyarrow", "altair", *(f"viewer.page.{name}" for name in ("replay", "disputes", "fairness")))
"""What the first page of a server would wait for."""


def inline_scripts(index: str) -> list[str]:
    """Return the policy's sources for the inline scripts of an HTML page: 'sha256-…' of each."""
    found = re.findall(r"<script>(.*?)</script>", index, re.DOTALL)
    return [f"'sha256-{base64.b64encode(sha256(each.encode()).digest()).decode()}'" for each in found]


def index_page() -> bytes:
    """Return the page that Streamlit serves at every address of the app."""
    return (Path(st.__file__).parent / "static" / "index.html").read_bytes()


def policy() -> str:
    """Return the content security policy."""
    scripts = " ".join(["'self'", "blob:", *inline_scripts(f"{index_page().decode()}<script>{HERE}</script>")])
    return "; ".join(
        (
            "default-src 'self'",
            f"script-src {scripts}",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "frame-src 'self' blob: data:",
            "worker-src 'self' blob:",
            "object-src 'none'",
            "base-uri 'self'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


class Headers:
    """Middleware that adds the security headers to every HTTP answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.added = [
            (b"content-security-policy", policy().encode()),
            (b"x-frame-options", b"DENY"),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; add the headers to the start of the answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in self.added}
                kept = [(name, value) for name, value in message["headers"] if name.lower() not in names]
                message["headers"] = [*kept, *self.added]
            await send(message)

        await self.app(scope, receive, with_headers)


class Located:
    """Middleware that adds our script to Streamlit's index page, at whatever address it is asked for; nothing else."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.index = index_page()
        self.page = self.index.replace(b"<head>", b"<head><script>%s</script>" % HERE.encode(), 1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; ask for a page uncompressed, and where the index page comes back, send ours."""
        if scope["type"] != "http" or (b"accept", b"text/html") not in _listed(scope["headers"]):
            await self.app(scope, receive, send)
            return
        length = (b"content-length", str(len(self.index)).encode())
        held: list[Message] = []

        async def located(message: Message) -> None:
            if message["type"] == "http.response.start" and length in message["headers"]:
                held.append(message)
            elif not held:
                await send(message)
            else:
                held.append(message)
                if not message.get("more_body", False):
                    for each in self._ours(held, length):
                        await send(each)

        plain = [header for header in scope["headers"] if header[0] != b"accept-encoding"]
        await self.app({**scope, "headers": plain}, receive, located)

    def _ours(self, held: Sequence[Message], length: tuple[bytes, bytes]) -> Sequence[Message]:
        """Return an answer as it came, or with our page in place of the index page; HEAD has no body."""
        body = b"".join(message.get("body", b"") for message in held[1:])
        if body not in {self.index, b""}:
            return held
        kept = [header for header in held[0]["headers"] if header != length]
        start = {**held[0], "headers": [*kept, (length[0], str(len(self.page)).encode())]}
        return [start, {"type": "http.response.body", "body": self.page if body else b""}]


def _listed(headers: Sequence[tuple[bytes, bytes]]) -> set[tuple[bytes, bytes]]:
    """Return each header with each of its values alone, without parameters."""
    return {(name, part.partition(b";")[0].strip()) for name, value in headers for part in value.split(b",")}


def take(host: str, port: int) -> None:
    """Try to listen where the viewer will; Unavailable where that cannot be."""
    try:
        with socket.create_server((host, port)):
            pass
    except OSError as error:
        raise Unavailable(f"{host}:{port}", f"cannot be listened on: {error.strerror}") from None


def serve(
    url: str, *, also: Sequence[str] = (), port: int = 8501, host: str = "127.0.0.1", open_browser: bool = True
) -> None:
    """Serve the viewer for a ledger, and others to choose from (`also`), until interrupted.

    `open_browser` shows the page in the reader's browser where there is a screen. Must run in the main thread. A port
    that cannot be had is Unavailable.
    """
    take(host, port)
    os.environ["PAIPU_LEDGER"] = "\n".join([url, *also])
    address = f"http://{'localhost' if host == '127.0.0.1' else host}:{port}/"
    print(f"paipu: {address}  (Ctrl+C ends)")
    if open_browser and (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY") or os.name != "posix"):
        Timer(1.5, webbrowser.open, (address,)).start()
    hosts = [host, "localhost", "127.0.0.1"] if host in {"127.0.0.1", "localhost"} else []
    options = {**OPTIONS, "server.address": host, "server.port": port, "server.allowedHosts": hosts}
    for name, value in options.items():
        st.config.set_option(name, value)
    trusted = [Middleware(TrustedHostMiddleware, allowed_hosts=hosts, www_redirect=False)] if hosts else []
    Thread(target=lambda: [import_module(name) for name in HEAVY], daemon=True).start()
    st.App(APP, middleware=[*trusted, Middleware(Headers), Middleware(Located)]).run(config=options)
