"""`report` in a browser: by keyboard, by a screen reader's names, on a phone, in the dark."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.operations.decay.run import decay
from companion.reading.report.write import write_report
from tests.wiki import Wiki

pytestmark = pytest.mark.needs(
    "matplotlib", "chromium", "playwright", "axe_playwright_python"
)

RULES = (
    "wcag2a",
    "wcag2aa",
    "wcag21a",
    "wcag21aa",
    "wcag22aa",
    "best-practice",
)
FOCUS = """() => {
  const at = document.activeElement;
  const style = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  return {
    tag: at.tagName,
    name: at.getAttribute("aria-label") || at.innerText,
    ringed: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    shown: box.left >= 0 && box.bottom > 0 && box.top < innerHeight,
  };
}"""
OPEN_ALL = "document.querySelectorAll('details').forEach((d) => d.open = true)"
WIDER = "document.documentElement.scrollWidth - innerWidth"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of a wiki that has something in each section but audits."""
    wiki = Wiki.new(
        tmp_path_factory.mktemp("browser") / "wiki",
        {"house.md": "Mind the [[Door]] and the [[Cellar]].\n"},
    )
    wiki.ingest("# Door\n\nThe door to the [[Cellar]] is open.")
    wiki.ingest("# Cellar\n\nThe cellar is dry.")
    wiki.ingest("The port of Bode is 4001.", source="the runbook")
    wiki.tick(days=1)
    wiki.consolidate()
    wiki.ingest(
        "Since 2 November 2026 the port of Bode is 6002.", source="the runbook"
    )
    wiki.ingest("# Door\n\nThe door to the cellar is not open.", source="Lea")
    wiki.tick(days=1)
    wiki.consolidate()
    # vitality is drawn once it was measured
    decay(wiki.ws)
    path = wiki.root.parent / "report.html"
    write_report(wiki.ws, str(path))
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as player:
        chromium = player.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        yield chromium
        chromium.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_axe_finds_no_fault_and_nothing_scrolls_sideways(
    report: Path, browser: Any, scheme: str, width: int
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    # axe is a script, which the page itself forbids
    surroundings = browser.new_context(
        viewport={"width": width, "height": 800},
        color_scheme=scheme,
        bypass_csp=True,
    )
    page = surroundings.new_page()
    page.goto(report.as_uri())
    page.evaluate(OPEN_ALL)
    options = {"runOnly": {"type": "tag", "values": RULES}}
    found = Axe().run(page, options=options).response

    assert [fault["id"] for fault in found["violations"]] == []
    assert len(found["passes"]) > 30  # it did look
    assert page.evaluate(WIDER) <= 0


def test_a_keyboard_reaches_everything_in_order_and_shows_where_it_is(
    report: Path, browser: Any
) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(report.as_uri())
    stops = []
    for _ in range(60):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUS)
        if at["tag"] == "BODY":
            break
        stops.append(at)

    assert all(stop["ringed"] and stop["shown"] for stop in stops), stops
    names = [stop["name"] for stop in stops]
    assert names[0] == "Skip to the report"
    assert names[1:9] == [
        "Growth",
        "Gravity and vitality",
        "The graph",
        "Beliefs under pressure",
        "Beliefs that changed",
        "Audits",
        "Junk",
        "Cost",
    ]
    assert len(set(names)) == len(names), "two stops of one name"
    tables = page.locator("details").count()
    assert sum(stop["tag"] == "SUMMARY" for stop in stops) == tables > 2

    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(FOCUS)["tag"] != "A", "the sections were not skipped"


def test_a_screen_reader_hears_each_figure_and_can_open_its_numbers(
    report: Path, browser: Any
) -> None:
    page = browser.new_page()
    page.goto(report.as_uri())
    figures = page.get_by_role("figure")
    assert figures.count() >= 3
    for number in range(figures.count()):
        figure = figures.nth(number)
        image = figure.get_by_role("img")
        assert len(image.get_attribute("aria-label").split()) >= 4
        figure.locator("summary").press("Enter")
        assert figure.get_by_role("row").count() >= 2
    for section in page.locator("section").all():
        heading = section.get_by_role("heading", level=2).inner_text()
        region = page.get_by_role("region", name=heading, exact=True)
        assert region.count() == 1
