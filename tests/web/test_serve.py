"""`companion web` listens on this machine alone, and says plainly what is missing."""

import threading
import urllib.error
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("uvicorn")

from companion.cli.errors import known_error
from companion.web import serve
from companion.web.serve import (
    PortTaken,
    WebMissing,
    describe,
    make_server,
    open_socket,
)
from tests.wiki import Wiki


def test_a_browser_reaches_it_by_the_address_it_prints(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki", {"Door.md": "The door is open.\n"})
    opening = open_socket(None)
    told = describe(opening)
    server = make_server(opening, lambda: wiki.ws, known_error)
    thread = threading.Thread(target=server.run, args=([opening.socket],))
    thread.start()
    try:
        jar = urllib.request.HTTPCookieProcessor()
        opener = urllib.request.build_opener(jar)
        with opener.open(told["address"], timeout=20) as answer:
            assert "token" not in answer.url
            assert "Door" in answer.read().decode()
        bare = f"http://127.0.0.1:{told['port']}/"
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(bare, timeout=20)
        assert refused.value.code == 401
        with opener.open(bare, timeout=20) as answer:
            assert answer.status == 200
            assert answer.headers["server"] is None
        with pytest.raises(PortTaken):
            open_socket(told["port"])
    finally:
        server.should_exit = True
        thread.join(20)
    assert not thread.is_alive()


def test_the_socket_is_on_the_loopback_address_alone() -> None:
    opening = open_socket(None)
    with opening.socket:
        assert opening.socket.getsockname() == ("127.0.0.1", opening.port)
    assert len(opening.token) == 64
    assert opening.address.startswith(
        f"http://127.0.0.1:{opening.port}/?token="
    )


def test_without_the_extra_the_error_names_the_install_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(serve, "_PACKAGES", ("no_such_package",))
    with pytest.raises(WebMissing) as error:
        serve.require_packages()
    assert error.value.exit_code == 69
    assert "companion-wiki[web]" in str(error.value.hint)


def test_a_port_that_cannot_be_is_said_in_a_sentence() -> None:
    with pytest.raises(PortTaken, match="there is none above 65535"):
        open_socket(99_999_999)
