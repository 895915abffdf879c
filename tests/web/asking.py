"""Ask the web page as a browser does, without a socket: an ASGI request in this process."""

import asyncio
from typing import NamedTuple

from companion.cli.errors import known_error
from companion.web.app import make_app
from companion.web.guard import cookie_name
from tests.wiki import Wiki

PORT = 8321
KEY = "the-key"


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str


class Browser:
    """A browser on this machine that has opened the address with the key."""

    def __init__(self, wiki: Wiki, *, has_key: bool = True) -> None:
        self._app = make_app(lambda: wiki.ws, known_error, PORT, KEY)
        self.headers = {"host": f"127.0.0.1:{PORT}"}
        if has_key:
            self.headers["cookie"] = f"{cookie_name(PORT)}={KEY}"

    def get(self, address: str, **headers: str) -> Answer:
        """Ask for an address; `_` in a header's name stands for a hyphen."""
        return self._ask("GET", address, b"", headers)

    def post(self, address: str, body: str, **headers: str) -> Answer:
        """Send a form from this page, unless *headers* name another origin."""
        own = {"origin": f"http://127.0.0.1:{PORT}", **headers}
        return self._ask("POST", address, body.encode(), own)

    def _ask(
        self, method: str, address: str, body: bytes, more: dict[str, str]
    ) -> Answer:
        path, _, query = address.partition("?")
        named = {name.replace("_", "-"): more[name] for name in more}
        headers = [
            (name.encode(), value.encode())
            for name, value in {**self.headers, **named}.items()
        ]
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "headers": headers,
            "scheme": "http",
            "server": ("127.0.0.1", PORT),
            "client": ("127.0.0.1", 50_000),
            "http_version": "1.1",
            "root_path": "",
        }
        return asyncio.run(self._run(scope, body))

    async def _run(self, scope: dict[str, object], body: bytes) -> Answer:
        sent: list[dict[str, object]] = []

        async def receive() -> dict[str, object]:
            """Hand the body over."""
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: dict[str, object]) -> None:
            """Keep a part of the answer."""
            sent.append(message)

        await self._app(scope, receive, send)
        start = sent[0]
        headers = {
            name.decode(): value.decode() for name, value in start["headers"]
        }
        content = b"".join(part.get("body", b"") for part in sent[1:])
        return Answer(start["status"], headers, content.decode())
