"""Fetching for `ingest`: bounded, polite, and never from a private network."""

import gzip
import http.server
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.operations.triage import arguments, capture
from companion.operations.triage.web.addresses import (
    BadAddress,
    ForbiddenAddress,
    is_public,
    parse_address,
)
from companion.operations.triage.web.fetch import (
    LIMITS,
    BrokenOff,
    Condition,
    Later,
    Limits,
    TooLarge,
    Unavailable,
    fetch,
)
from companion.storage.cold import originals
from companion.storage.git.repo import Repo
from companion.values.captures import Draft
from tests.wiki import Wiki

HOST = "127.0.0.1"
QUICK = LIMITS._replace(connect=2, read=0.4, total=1)
PAGE = b"<!doctype html><title>T</title><p>Anna moved to Kiel.</p>"


class Site:
    """A server on this machine that answers as it is told, and remembers what it was asked."""

    def __init__(self) -> None:
        self.answers: dict[str, Callable[[Any], None]] = {}
        self.asked: list[tuple[str, dict[str, str]]] = []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.asked.append((self.path, dict(self.headers)))
                try:
                    site.answers[self.path](self)
                except (BrokenPipeError, ConnectionResetError):
                    return  # it was cut off, as it should

            def log_message(self, *_: object) -> None:
                return

        self.server = http.server.ThreadingHTTPServer((HOST, 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://{HOST}:{self.server.server_port}"

    def give(
        self, path: str, body: bytes = b"", status: int = 200, **headers: str
    ) -> str:
        def answer(handler: Any) -> None:
            handler.send_response(status)
            for name, value in headers.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body)

        self.answers[path] = answer
        return self.url + path

    def give_raw(self, path: str, chunks: Callable[[], Iterator[bytes]]) -> str:
        def answer(handler: Any) -> None:
            for chunk in chunks():
                handler.wfile.write(chunk)
                handler.wfile.flush()
            handler.close_connection = True

        self.answers[path] = answer
        return self.url + path


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.server.shutdown()
    site.server.server_close()


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki", {"a.md": "x"})
    Repo(wiki.ws.place).git.config["companion.allowHost"] = HOST
    return wiki


def get(url: str, limits: Limits = QUICK, **options: Any) -> Any:
    return fetch(url, allowed=[HOST], limits=limits, **options)


def test_a_page_comes_as_it_was_sent(site: Site) -> None:
    url = site.give(
        "/a",
        gzip.compress(PAGE),
        Content_Type="text/html; charset=utf-8",
        Content_Encoding="gzip",
        ETag='"1"',
    )
    page = get(url)

    assert page.content == PAGE
    assert page.content_type == "text/html"
    assert page.answer == (url, 200, "utf-8", '"1"', None)
    ((_, headers),) = site.asked
    assert headers["User-Agent"].startswith("companion-wiki/")


def test_redirects_are_followed_and_counted(site: Site) -> None:
    site.give("/end", PAGE)
    site.give("/one", status=302, Location="/end")
    site.give("/loop", status=301, Location="/loop")

    assert get(site.url + "/one").answer.url == site.url + "/end"
    with pytest.raises(Unavailable, match="more than 5 redirects"):
        get(site.url + "/loop")
    assert len(site.asked) == 2 + 6


@pytest.mark.parametrize(
    "location",
    [
        "http://localhost:1/",
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:10.0.0.1]/",
        "http://0x7f000001/",
        "file:///etc/passwd",
        "ftp://example.org/",
        "http://user:pw@example.org/",
    ],
)
def test_a_redirect_leads_to_no_private_place(
    site: Site, location: str
) -> None:
    url = site.give("/r", status=302, Location=location)

    with pytest.raises((ForbiddenAddress, BadAddress, Unavailable)):
        get(url)
    assert len(site.asked) == 1


def test_a_name_that_leads_home_is_not_asked(site: Site) -> None:
    """Each address of a name counts, and the connection goes to the one that was judged."""
    asked = []

    def lead(host: str, port: int) -> list[str]:
        asked.append(host)
        return ["93.184.216.34", HOST]

    port = site.server.server_port
    with pytest.raises(ForbiddenAddress):
        fetch(f"http://example.org:{port}/", limits=QUICK, resolve=lead)
    assert asked == ["example.org"] and site.asked == []
    # the other way round: what was judged is what is asked, and no name is looked up again
    site.give("/", PAGE)
    page = fetch(
        f"http://example.org:{port}/",
        allowed=["Example.org"],
        limits=QUICK,
        resolve=lambda host, port: [HOST],
    )
    assert page is not None and page.content == PAGE


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:2800:220:1::1", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_which_addresses_are_public(address: str, public: bool) -> None:
    assert is_public(address) is public


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "http:///x",
        "http://a b/",
        "http://a\x1b/",
        "http://x:99999/",
        "http://a@b/",
        "https://" + "x" * 5000,
        "http://[::1",
    ],
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(BadAddress):
        parse_address(url)


def hang() -> Iterator[bytes]:
    time.sleep(3)
    yield b""


def drip() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\n"
    for number in range(100):
        time.sleep(0.1)
        yield b"X-%d: y\r\n" % number


def drip_body() -> Iterator[bytes]:
    yield b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"
    for _ in range(100):
        time.sleep(0.1)
        yield b"x"


@pytest.mark.parametrize("chunks", [hang, drip, drip_body])
def test_a_server_that_hangs_is_cut_off(
    site: Site, chunks: Callable[[], Iterator[bytes]]
) -> None:
    begun = time.monotonic()

    with pytest.raises(Later) as caught:
        get(site.give_raw("/slow", chunks))
    assert time.monotonic() - begun < 2.5
    assert caught.value.exit_code == 75


def test_what_is_too_large_or_packed_to_explode_is_refused(site: Site) -> None:
    small = QUICK._replace(size=2**20, total=10, read=5)
    bomb = zlib.compressobj(9, wbits=31)
    packed = bomb.compress(bytes(200 * 2**20)) + bomb.flush()
    with pytest.raises(TooLarge):
        get(site.give("/big", bytes(2**20 + 1)), small)
    with pytest.raises(TooLarge):
        get(site.give("/bomb", packed, Content_Encoding="gzip"), small)


def test_an_answer_that_breaks_off_is_not_taken(site: Site) -> None:
    def cut() -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"

    def nonsense() -> Iterator[bytes]:
        yield b"\0\1\2 no http\r\n\r\n"

    half = gzip.compress(PAGE)[:-9]
    for url in (
        site.give_raw("/cut", cut),
        site.give_raw("/nonsense", nonsense),
        site.give("/half", half, Content_Encoding="gzip"),
    ):
        with pytest.raises(BrokenOff) as caught:
            get(url)
        assert caught.value.exit_code == 74


def test_what_the_web_does_not_give(site: Site) -> None:
    with socket.socket() as free:
        free.bind((HOST, 0))
        closed = f"http://{HOST}:{free.getsockname()[1]}/"
    for url in (closed, site.give("/gone", status=404), "http://no.invalid/"):
        with pytest.raises(Unavailable) as caught:
            get(url, resolve=resolver)
        assert caught.value.exit_code == 69
    with pytest.raises(Later) as patience:
        get(site.give("/busy", status=503, Retry_After="120"))
    assert "120 seconds" in patience.value.hint


def resolver(host: str, port: int) -> list[str]:
    if host.endswith(".invalid"):
        raise socket.gaierror(-2, "unknown")
    return [host]


def test_an_unchanged_page_is_not_sent_again(site: Site) -> None:
    def answer(handler: Any) -> None:
        assert handler.headers["If-None-Match"] == '"1"'
        handler.send_response(304)
        handler.end_headers()

    site.answers["/a"] = answer
    assert get(site.url + "/a", condition=Condition('"1"')) is None


# -- through the door


def take(wiki: Wiki, *urls: str, **options: Any) -> Any:
    wiki.tick()
    items = arguments.drafts(
        urls, lines=False, jsonl=None, defaults=Draft(""), stdin=None
    )
    return capture.ingest(wiki.ws, items, **options)


def test_a_page_is_kept_known_and_changed(wiki: Wiki, site: Site) -> None:
    url = site.give(
        "/notes/kiel.html",
        PAGE,
        Content_Type="text/html",
        ETag='"1"',
        Last_Modified="Sat, 21 Nov 2026 10:00:00 GMT",
    )
    (first,) = take(wiki, url + "#part")["originals"]
    repo = Repo(wiki.ws.place)
    item = originals.get(repo, first["id"])

    assert originals.read_bytes(repo, item) == PAGE
    assert (item.name, item.source, item.url) == ("kiel.html", url, url)
    assert (item.status, item.etag) == (200, '"1"')
    assert item.modified_at == "2026-11-21T10:00:00.000000Z"
    site.give("/notes/kiel.html", status=304)
    assert take(wiki, url)["originals"][0]["status"] == "known"
    assert site.asked[-1][1]["If-None-Match"] == '"1"'
    changed = site.give("/notes/kiel.html", PAGE + b"<p>And back.</p>")
    (second,) = take(wiki, changed)["originals"]
    assert second["status"] == "kept"
    assert second["source"] == first["source"] and second["id"] != first["id"]


def test_failures_are_items_and_a_busy_host_is_asked_once(
    wiki: Wiki, site: Site
) -> None:
    done = take(
        wiki,
        site.give("/busy", status=429, Retry_After="9"),
        site.give("/other", PAGE),
        "http://localhost:9/",
        "https://example.org/?token=ghp_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5",
    )
    assert [item["kind"] for item in done["refused"]] == [
        "later",
        "later",
        "private-address",
        "secret",
    ]
    assert len(site.asked) == 1
    assert "ghp_" not in str(done)


def test_a_dry_run_of_a_page_stores_nothing(wiki: Wiki, site: Site) -> None:
    done = take(wiki, site.give("/a", PAGE), dry_run=True)

    assert done["counts"]["kept"] == 1
    assert originals.find_tree(Repo(wiki.ws.place)) is None


def test_an_export_of_the_web_is_split(wiki: Wiki, site: Site) -> None:
    body = b'[{"mapping": {}}, {"mapping": {"a": 1}}]'
    done = take(
        wiki, site.give("/c.json", body, Content_Type="application/json")
    )

    assert done["counts"]["kept"] == 2
