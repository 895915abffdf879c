"""Fetch one web page or file for `ingest`: bounded in time, size and redirects, and polite.

A single request that a person asked for: no script runs, nothing that the page links to is fetched,
and one request at a time goes out. The standard library's client is used, because it can be given
the very socket: the address that was judged is the one that is asked (docs/adr/0168).
"""

import http.client
import socket
import ssl
import threading
import time
import zlib
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import urljoin

from companion import __version__
from companion.errors import BadInput, CompanionError
from companion.operations.triage.parcels import Answer
from companion.operations.triage.web.addresses import (
    BadAddress,
    Resolve,
    Target,
    find_allowed,
    parse_address,
    resolve,
)

_REDIRECTS = (301, 302, 303, 307, 308)
_TAKEN = (200, 203)
_WAIT = (429, 503)
_PIECE = 65_536  # bytes


class Limits(NamedTuple):
    """How much one fetch may use."""

    connect: float = 10  # seconds
    read: float = 20  # seconds without a byte
    total: float = 60  # seconds, redirects included
    size: int = 64 * 2**20  # bytes, unpacked
    redirects: int = 5


LIMITS = Limits()


class Unavailable(CompanionError):
    """The web did not give this."""

    exit_code = 69
    hint = "Check the address and your connection, or save the page and ingest the file."


class BrokenOff(CompanionError):
    """The answer broke off."""

    exit_code = 74
    hint = "Run the same command again."


class Later(CompanionError):
    """The server asks for patience."""

    exit_code = 75
    hint = "Try again later."


class TooLarge(BadInput):
    """The answer is too large."""

    hint = "Download it yourself, and ingest the file."


class Condition(NamedTuple):
    """The server's marks of the version that is here."""

    etag: str | None = None
    last_modified: str | None = None


class Page(NamedTuple):
    """A page as the server gave it."""

    answer: Answer
    content: bytes
    content_type: (
        str  # without parameters, in lower case; "" where none was told
    )


def fetch(
    url: str,
    *,
    allowed: Sequence[str] = (),
    condition: Condition | None = None,
    limits: Limits = LIMITS,
    resolve: Resolve = resolve,
) -> Page | None:
    """Return what *url* gives now; None where it is unchanged by *condition*.

    Hosts named in *allowed* may lie in a private network. Raises Unavailable, BrokenOff, Later,
    TooLarge, BadAddress or ForbiddenAddress.
    """
    end = time.monotonic() + limits.total
    target = parse_address(url)
    for _ in range(limits.redirects + 1):
        given = _ask(target, allowed, condition, limits, resolve, end)
        if not isinstance(given, Target):
            return given
        target = given
    raise Unavailable(f"more than {limits.redirects} redirects")


def _ask(
    target: Target,
    allowed: Sequence[str],
    condition: Condition | None,
    limits: Limits,
    resolve: Resolve,
    end: float,
) -> Page | Target | None:
    """Ask one server; return its page, where it redirects to, or None for "unchanged"."""
    address = _resolve(target, allowed, limits, resolve)
    connection = _Connection(target, address, limits)
    watch = threading.Timer(max(end - time.monotonic(), 0), connection.cut)
    watch.daemon = True
    watch.start()
    try:
        return _exchange(connection, target, condition, limits)
    except (OSError, http.client.HTTPException) as error:
        raise _explain(error, connection, target, limits) from error
    finally:
        watch.cancel()
        connection.close()


def _resolve(
    target: Target, allowed: Sequence[str], limits: Limits, resolve: Resolve
) -> str:
    """Return the address to connect to; a resolver that hangs is left alone after a while."""
    found: list[str | BaseException] = []

    def look() -> None:
        try:
            found.append(find_allowed(target, allowed, resolve))
        # whatever it is, it is raised again below
        except (CompanionError, OSError, UnicodeError) as error:
            found.append(error)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    thread.join(limits.connect)
    if not found:
        raise Later(f"no address for {target.host} within {limits.connect:g} s")
    outcome = found[0]
    if isinstance(outcome, str):
        return outcome
    if isinstance(outcome, CompanionError):
        raise outcome
    raise Unavailable(f"no address is known for {target.host}") from outcome


class _Connection(http.client.HTTPConnection):
    """A connection to the one address that was judged."""

    def __init__(self, target: Target, address: str, limits: Limits) -> None:
        super().__init__(target.host, target.port, timeout=limits.read)
        self._target = target
        self._address = address
        self._limits = limits
        self.is_connected = False
        self.is_cut = False

    def connect(self) -> None:
        """Connect to the judged address, and ask for the certificate of the named host."""
        plain = socket.create_connection(
            (self._address, self._target.port), timeout=self._limits.connect
        )
        self.sock = plain
        if self._target.scheme == "https":
            context = ssl.create_default_context()
            context.set_alpn_protocols(["http/1.1"])
            secured = context.wrap_socket(
                plain,
                server_hostname=self._target.host,
                do_handshake_on_connect=False,
            )
            self.sock = secured
            secured.do_handshake()
        self.is_connected = True
        self.sock.settimeout(self._limits.read)

    def cut(self) -> None:
        """End the exchange from another thread: its time is over."""
        self.is_cut = True
        if self.sock is not None:
            try:
                self.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                return  # it ended by itself


def _exchange(
    connection: _Connection,
    target: Target,
    condition: Condition | None,
    limits: Limits,
) -> Page | Target | None:
    connection.request("GET", target.path, headers=_headers(condition))
    response = connection.getresponse()
    if response.status == 304 and condition is not None:
        return None
    if response.status in _REDIRECTS:
        return _follow(target, response.getheader("Location"))
    if response.status in _WAIT:
        raise _ask_for_patience(response)
    if response.status not in _TAKEN:
        raise Unavailable(f"the server answers {response.status}")
    content = _read_body(response, limits.size)
    if connection.is_cut:
        raise TimeoutError
    headers = response.headers
    answer = Answer(
        url=target.url,
        status=response.status,
        charset=headers.get_content_charset(),
        etag=_header(response, "ETag"),
        last_modified=_header(response, "Last-Modified"),
    )
    told = headers.get_content_type() if "Content-Type" in headers else ""
    return Page(answer, content, told)


def _headers(condition: Condition | None) -> dict[str, str]:
    headers = {
        "User-Agent": f"companion-wiki/{__version__} (one page for its reader)",
        "Accept": "text/html,application/xhtml+xml,*/*;q=0.8",
        "Accept-Encoding": "gzip",
        "Connection": "close",
    }
    if condition is not None and condition.etag:
        headers["If-None-Match"] = condition.etag
    if condition is not None and condition.last_modified:
        headers["If-Modified-Since"] = condition.last_modified
    return headers


def _header(response: http.client.HTTPResponse, name: str) -> str | None:
    """Return a header that may be sent back later; None for one that is no plain text."""
    value = response.getheader(name)
    if not value or len(value) > 1000 or not value.isascii():
        return None
    return value if value.isprintable() else None


def _follow(target: Target, location: str | None) -> Target:
    if not location:
        raise Unavailable("the server redirects to nowhere")
    try:
        return parse_address(urljoin(target.url, location))
    except BadAddress as error:
        hint = "Save the page from your browser, and ingest the file."
        raise BadAddress(f"it redirects to {error}", hint=hint) from error


def _ask_for_patience(response: http.client.HTTPResponse) -> Later:
    reason = f"the server answers {response.status}"
    wait = response.getheader("Retry-After") or ""
    if wait.isdigit() and len(wait) < 8:
        return Later(reason, hint=f"Try again in {int(wait):,} seconds.")
    if wait.isprintable() and 0 < len(wait) < 60:
        return Later(reason, hint=f"Try again after {wait}.")
    return Later(reason)


def _read_body(response: http.client.HTTPResponse, limit: int) -> bytes:
    """Return the body, unpacked, of at most *limit* bytes."""
    unpack = _find_engine(response)
    body = bytearray()
    received = 0
    while piece := response.read1(_PIECE):
        received += len(piece)
        if unpack is not None:
            piece = _unpack(unpack, piece, limit - len(body) + 1)
        body += piece
        if received > limit or len(body) > limit:
            raise TooLarge(f"larger than {limit // 2**20} MiB")
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    if unpack is not None and received and not unpack.eof:
        raise http.client.IncompleteRead(b"")
    return bytes(body)


def _find_engine(
    response: http.client.HTTPResponse,
) -> "zlib._Decompress | None":
    """Return the engine that unpacks the body; None where it is not packed.

    Raises Unavailable for a packing that nothing here unpacks.
    """
    encoding = (response.getheader("Content-Encoding") or "").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip"):
        raise Unavailable(f"the server packs its answer as {encoding[:20]!r}")
    if "gzip" in encoding:
        return zlib.decompressobj(zlib.MAX_WBITS | 16)
    return None


def _unpack(engine: "zlib._Decompress", piece: bytes, room: int) -> bytes:
    """Return at most *room* bytes that *piece* unpacks to."""
    try:
        return engine.decompress(piece, max(room, 1))
    except zlib.error as error:
        raise http.client.IncompleteRead(b"") from error


def _explain(
    error: Exception, connection: _Connection, target: Target, limits: Limits
) -> CompanionError:
    host = target.host
    if connection.is_cut:
        return Later(f"{host} was cut off after {limits.total:g} seconds")
    if isinstance(error, TimeoutError):
        return Later(f"no answer from {host} in time")
    if isinstance(error, ssl.SSLCertVerificationError):
        return Unavailable(f"the certificate of {host} cannot be trusted")
    if not connection.is_connected:
        return Unavailable(f"{host} cannot be reached")
    return BrokenOff(f"the answer of {host} broke off")
