"""The addresses that `ingest` may fetch from: public ones, and hosts that this machine allows.

A page may redirect to a router, a printer or the metadata service of a cloud, whose answers are not
for a wiki. So every address that a name leads to is judged, before each connection, and the
connection goes to the very address that was judged: a name that leads elsewhere a moment later
gains nothing. Pure, but for `resolve`.
"""

import ipaddress
import socket
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import SplitResult, quote, urlsplit, urlunsplit

from companion.errors import BadInput

PORTS = {"http": 80, "https": 443}
_LONGEST = 4096  # characters of an address
# what is printable in an address as it stands; the rest is percent-encoded
_SAFE = "/?:@!$&'()*+,;=-._~%#[]"

Resolve = Callable[[str, int], list[str]]


class BadAddress(BadInput):
    """This address cannot be fetched."""

    hint = "Give a whole address that begins with http:// or https://."


class ForbiddenAddress(BadInput):
    """This address lies in a private network."""

    hint = (
        "If you trust this host: `git config --add companion.allowHost HOST` "
        "in the wiki's folder."
    )


class Target(NamedTuple):
    """A web address in its parts."""

    scheme: str
    host: str  # in lower case, ASCII
    port: int
    path: str  # with the query

    @property
    def url(self) -> str:
        """The whole address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        if self.port != PORTS[self.scheme]:
            host = f"{host}:{self.port}"
        return f"{self.scheme}://{host}{self.path}"


def is_address(word: str) -> bool:
    """Tell whether an argument is meant to be fetched."""
    return word.lower().startswith(("http://", "https://"))


def parse_address(url: str) -> Target:
    """Return the parts of *url*, without its fragment. Raises BadAddress."""
    _check_characters(url)
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(f"no address: {error}") from error
    if parts.scheme not in PORTS:
        raise BadAddress(f"an address of the kind {parts.scheme[:20]!r}")
    if parts.username is not None or parts.password is not None:
        hint = (
            "Fetch it yourself, for example with `curl`, and ingest the file."
        )
        raise BadAddress("a name or password stands in the address", hint=hint)
    return Target(
        parts.scheme,
        _encode_host(parts.hostname or ""),
        PORTS[parts.scheme] if port is None else port,
        _encode_path(parts),
    )


def _check_characters(url: str) -> None:
    """Raise BadAddress where *url* is too long, or has blanks or invisible characters."""
    if len(url) > _LONGEST:
        raise BadAddress(f"an address of {len(url):,} characters")
    if any(char.isspace() or not char.isprintable() for char in url):
        raise BadAddress("an address with characters that no address has")


def _encode_host(host: str) -> str:
    host = host.rstrip(".")
    if not host.isascii():
        try:
            host = host.encode("idna").decode()
        except UnicodeError as error:
            raise BadAddress("a host name that cannot be") from error
    if not host or any(char in host for char in "/\\@%"):
        raise BadAddress("an address without a host")
    return host.lower()


def _encode_path(parts: SplitResult) -> str:
    whole = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    return quote(whole, safe=_SAFE)


def find_allowed(
    target: Target, allowed: Iterable[str], resolve: Resolve
) -> str:
    """Return the address that *target* may be fetched from. Raises ForbiddenAddress.

    All addresses of a name must be public: one that is not is a trap or a mistake. A host that is
    named in *allowed* may lie anywhere.
    """
    found = resolve(target.host, target.port)
    if target.host not in {host.lower() for host in allowed}:
        for address in found:
            if not is_public(address):
                raise ForbiddenAddress(
                    f"{target.host} lies in a private network"
                )
    return found[0]


def is_public(address: str) -> bool:
    """Tell whether *address*, an IP address, is one of the open internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = _find_inner(ip)
        if inner is not None:
            return is_public(str(inner))
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")  # RFC 6052


def _find_inner(ip: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address that an IPv6 address leads to; None where there is none."""
    if ip in _NAT64:
        return ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
    if ip.teredo is not None:
        return ip.teredo[1]
    return ip.ipv4_mapped or ip.sixtofour


def resolve(host: str, port: int) -> list[str]:
    """Return the IP addresses of *host*. Raises OSError (socket.gaierror)."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(item[4][0]) for item in found]
    return list(dict.fromkeys(addresses))
