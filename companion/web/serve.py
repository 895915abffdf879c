"""Serve the web page on this machine alone, until somebody interrupts it."""

import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from companion.errors import CompanionError
from companion.web.guard import TOKEN
from companion.workspace import Workspace, create_key

if TYPE_CHECKING:
    from uvicorn import Server

    from companion.web.results import WebResult

_HOST = "127.0.0.1"
_PACKAGES = ("starlette", "uvicorn")
_HIGHEST_PORT = 65_535


class WebMissing(CompanionError):
    """The web page needs the packages starlette and uvicorn, which are not installed."""

    exit_code = 69
    hint = "pip install 'companion-wiki[web]' installs them."


class PortTaken(CompanionError):
    """Another program uses that port."""

    exit_code = 75
    hint = "Leave --port out: then a free one is taken."


class Opening(NamedTuple):
    """A socket that waits for a browser, and the key that the browser needs."""

    socket: socket.socket
    port: int
    token: str

    @property
    def address(self) -> str:
        """The address to open once; afterwards the browser has the key as a cookie."""
        return f"http://{_HOST}:{self.port}/?{TOKEN}={self.token}"


def require_packages() -> None:
    """Raise WebMissing where a package of the extra is not installed."""
    from importlib.util import find_spec

    if any(find_spec(name) is None for name in _PACKAGES):
        raise WebMissing


def open_socket(port: int | None) -> Opening:
    """Return a socket on the loopback address, on *port* or a free one. Raises PortTaken."""
    if port is not None and port > _HIGHEST_PORT:
        raise PortTaken(
            f"port {port} cannot be used: there is none above {_HIGHEST_PORT}"
        )
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((_HOST, port or 0))
        # A browser that is quicker than the server waits, and is not refused.
        made.listen()
    except OSError as error:
        made.close()
        raise PortTaken(
            f"port {port} cannot be used: {error.strerror}"
        ) from error
    return Opening(made, made.getsockname()[1], create_key().hex())


def describe(opening: Opening) -> "WebResult":
    """Return where the page is, with the address that holds the key."""
    return {"address": opening.address, "host": _HOST, "port": opening.port}


def serve(
    opening: Opening,
    open_wiki: Callable[[], Workspace],
    explain: Callable[[BaseException], CompanionError],
) -> None:
    """Serve until somebody interrupts. Raises WebMissing."""
    require_packages()
    import networkx  # noqa: F401 - its import takes longer than a page may

    try:
        make_server(opening, open_wiki, explain).run(sockets=[opening.socket])
    # uvicorn has ended in order, and lets the key through
    except KeyboardInterrupt:
        return


def make_server(
    opening: Opening,
    open_wiki: Callable[[], Workspace],
    explain: Callable[[BaseException], CompanionError],
) -> "Server":
    """Return a server that serves the wiki that *open_wiki* opens, once it runs."""
    from uvicorn import Config, Server

    from companion.web.app import make_app

    app = make_app(open_wiki, explain, opening.port, opening.token)
    config = Config(
        app,
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        timeout_graceful_shutdown=1,
    )
    return Server(config)
