"""In a real browser, at the width of a phone and of a desk, by the keyboard alone."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.wiki import Wiki

pytestmark = pytest.mark.needs("playwright", "chromium")

SIZES = {"desk": (1280, 900), "phone": (390, 844)}


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    """A wiki with a page of two versions, and a question."""
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("# Door\n\nThe door to the cellar is open.", source="Ines")
    wiki.ingest("# House\n\nMind the [[Door]].")
    wiki.ingest("# Long\n\n" + "unbreakable" * 30)
    wiki.consolidate()
    path = wiki.show("Door")["path"]
    wiki.write(path, wiki.read(path) + "\nIts key hangs beside it.\n")
    wiki.adopt()
    return wiki


@pytest.fixture
def address(wiki: Wiki) -> Iterator[str]:
    """The address that `companion web` prints, while it serves."""
    command = [sys.executable, "-m", "companion", "-C", str(wiki.root), "web"]
    child = subprocess.Popen(
        [*command, "--quiet"], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    yield child.stdout.readline().strip()
    child.terminate()
    child.wait(20)


@pytest.fixture(params=SIZES)
def page(request: pytest.FixtureRequest, address: str) -> Iterator[Any]:
    """A page of a browser of one size, opened at the address; it must log no error."""
    from playwright.sync_api import sync_playwright

    width, height = SIZES[request.param]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        opened = browser.new_page(viewport={"width": width, "height": height})
        errors: list[str] = []
        opened.on("console", lambda message: errors.append(message.text))
        opened.on("pageerror", lambda error: errors.append(str(error)))
        opened.goto(address)
        yield opened
        browser.close()
    assert errors == []


def test_everything_is_reached_by_the_keyboard(page: Any) -> None:
    assert "token" not in page.url
    press = page.keyboard.press
    press("Tab")
    assert _focused(page) == "To the content"
    for _ in range(5):
        press("Tab")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("cellar")
    page.wait_for_url("**/?q=cellar")
    assert page.locator("#results li").count() == 1

    press("Tab")
    press("Tab")
    if _focused(page) != "Door":  # the cross that empties the field
        press("Tab")
    assert _focused(page) == "Door"
    press("Enter")
    page.wait_for_selector("#v")
    assert "Its key hangs beside it." in page.inner_text("article")
    page.focus("#v")
    press("Home")
    page.wait_for_url("**?v=1&as_of=")
    page.get_by_text("version 1 of").wait_for()
    assert "Its key hangs" not in page.inner_text("article")
    assert page.evaluate("document.activeElement.id") == "v"


def test_no_page_is_wider_than_the_screen(page: Any, wiki: Wiki) -> None:
    base = page.url
    long = wiki.show("Long")["id"]
    for place in ("", f"page/{long}", "graph", "branches", "review"):
        page.goto(base + place)
        assert page.locator("h1").count() == 1
        beyond = "document.documentElement.scrollWidth - innerWidth"
        assert page.evaluate(beyond) <= 0, place


def _focused(page: Any) -> str:
    return str(page.evaluate("document.activeElement.innerText"))
