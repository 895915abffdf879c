"""Only the browser that was given the key may ask, and only for itself."""

import pytest

from companion.web.guard import Request, cookie_name, judge

PORT = 8321
KEY = "k" * 64
HOST = {"host": f"127.0.0.1:{PORT}"}
OWN = {**HOST, "cookie": f"a=b; {cookie_name(PORT)}={KEY}"}
SELF = f"http://127.0.0.1:{PORT}"


def status(method: str = "GET", query: str = "", **headers: str) -> int:
    """Return what becomes of a request of a browser that has the key."""
    named = {name.replace("_", "-"): headers[name] for name in headers}
    asked = Request(method, "/", query, {**OWN, **named})
    return judge(asked, PORT, KEY).status


def test_a_browser_with_the_key_may_read_and_answer() -> None:
    assert status() == 200
    assert status(origin=SELF, sec_fetch_site="same-origin") == 200
    assert status("POST", origin=SELF) == 200
    localhost = f"localhost:{PORT}"
    assert status("POST", host=localhost, origin=f"http://{localhost}") == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1",
        f"127.0.0.1:{PORT + 1}",
        "",
        "localhost.evil.example:8321",
    ],
)
def test_a_foreign_name_for_this_machine_is_refused(host: str) -> None:
    # a page of that name would otherwise read the wiki once its name resolves to 127.0.0.1
    assert status(host=host) == 421


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        ("POST", {"origin": "http://evil.example"}),
        ("POST", {"origin": "null"}),
        ("POST", {"origin": f"http://127.0.0.1:{PORT + 1}"}),
        ("POST", {}),
        ("GET", {"origin": "http://evil.example"}),
        ("GET", {"sec_fetch_site": "cross-site"}),
        ("GET", {"sec_fetch_site": "same-site"}),
        ("DELETE", {}),
    ],
)
def test_another_origin_is_refused(
    method: str, headers: dict[str, str]
) -> None:
    assert status(method, **headers) == 403


@pytest.mark.parametrize(
    "cookie", ["", f"{cookie_name(PORT)}=x", f"companion_1={KEY}"]
)
def test_without_the_key_nothing_is_told(cookie: str) -> None:
    verdict = judge(
        Request("GET", "/", "", {**HOST, "cookie": cookie}), PORT, KEY
    )
    assert verdict.status == 401
    assert KEY not in verdict.reason


def test_the_address_with_the_key_becomes_one_without() -> None:
    asked = Request("GET", "//evil.example", f"q=a+b&token={KEY}", HOST)
    verdict = judge(asked, PORT, KEY)
    assert (verdict.status, verdict.location) == (303, "/evil.example?q=a+b")
    assert verdict.cookie.endswith("; Path=/; HttpOnly; SameSite=Strict")
    assert judge(Request("GET", "/", "token=x", HOST), PORT, KEY).status == 401


def test_the_key_in_an_address_changes_nothing_by_post() -> None:
    asked = Request(
        "POST", "/review/1", f"token={KEY}", {**HOST, "origin": SELF}
    )
    assert judge(asked, PORT, KEY).status == 401
