"""Who may ask the web page: only the browser that was given the token, and only this machine.

A page of another origin can make the browser ask too. So the name in `Host` must be a loopback one
(a foreign name that resolves to 127.0.0.1 is refused), a change needs this page's own `Origin`, and
the token comes as a cookie that no other site's request carries. Pure: no import beyond the
standard library.
"""

import hmac
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

#: the parameter of the first address, and the beginning of the cookie's name
TOKEN = "token"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_READS = ("GET", "HEAD")

#: no script, style, image or frame but our own, and nothing is kept or told
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; "
        "img-src 'self'; connect-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Request(NamedTuple):
    """What decides about a request; names of headers in lower case."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]


class Verdict(NamedTuple):
    """What becomes of a request: it passes, is led elsewhere, or is refused."""

    status: int  # 200: it passes
    reason: str = ""
    location: str = ""  # where it is led
    cookie: str = ""  # that the answer sets


def judge(asked: Request, port: int, token: str) -> Verdict:
    """Decide whether a request to the server on *port* may be answered."""
    host = asked.headers.get("host", "")
    if host not in [f"{name}:{port}" for name in _LOOPBACK]:
        return Verdict(421, "This address is not the one of this page.")
    if not _is_own(asked, host):
        return Verdict(403, "Another site asked, not this page.")
    given = dict(parse_qsl(asked.query)).get(TOKEN)
    if given is not None and asked.method in _READS:
        return _judge_token(asked, given, port, token)
    kept = _read_cookie(asked.headers.get("cookie", ""), cookie_name(port))
    if not _is_equal(kept, token):
        return Verdict(
            401,
            "Open the address that `companion web` printed: it has the key.",
        )
    return Verdict(200)


def cookie_name(port: int) -> str:
    """Return the name of the cookie: browsers keep one jar for all ports of a machine."""
    return f"companion_{port}"


def _judge_token(asked: Request, given: str, port: int, token: str) -> Verdict:
    if not _is_equal(given, token):
        return Verdict(401, "That key is of an earlier `companion web`.")
    others = [
        (name, value) for name, value in parse_qsl(asked.query) if name != TOKEN
    ]
    rest = "?" + urlencode(others) if others else ""
    # A path that begins with two slashes would lead to another machine.
    path = "/" + asked.path.lstrip("/")
    cookie = f"{cookie_name(port)}={token}; Path=/; HttpOnly; SameSite=Strict"
    return Verdict(303, "", path + rest, cookie)


def _is_own(asked: Request, host: str) -> bool:
    """Tell whether no other origin made the browser ask; a change must say so itself."""
    site = asked.headers.get("sec-fetch-site", "none")
    if site not in ("none", "same-origin"):
        return False
    origin = asked.headers.get("origin")
    if origin is None:
        return asked.method in _READS
    return origin == f"http://{host}"


def _read_cookie(cookies: str, name: str) -> str:
    for part in cookies.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return value
    return ""


def _is_equal(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())
