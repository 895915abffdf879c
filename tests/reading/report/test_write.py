"""`report` on a real wiki: what it tells, what it never tells, and what it leaves alone."""

import re
import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

from companion.operations.triage import capture
from companion.reading.report.collect import collect_report
from companion.reading.report.figures import ReportNeedsMatplotlib, draw_growth
from companion.reading.report.write import NothingToReport, write_report
from companion.storage.index.survey import DayCount
from companion.usage.show import summarise_use
from companion.values.captures import Draft
from tests.wiki import Wiki
from tests.zone import KOLKATA, NEW_YORK, set_zone


@pytest.fixture
def wiki(tmp_path: Path) -> Wiki:
    wiki = Wiki.new(tmp_path / "wiki", {"house.md": "Mind the [[Door]].\n"})
    wiki.ingest("# Door\n\nThe door to the cellar is open.")
    capture.ingest(
        wiki.ws, [Draft("The word for the safe is swordfish.", scope="private")]
    )
    wiki.tick()
    wiki.consolidate()
    return wiki


def test_it_tells_of_pages_and_never_of_private_notes(
    wiki: Wiki, tmp_path: Path
) -> None:
    done = write_report(wiki.ws, str(tmp_path / "report.html"))
    page = (tmp_path / "report.html").read_text()

    assert done["bytes"] == len(page.encode())
    assert "Door" in page
    assert "swordfish" not in page


@pytest.mark.parametrize(
    ("zone", "minutes"), [(KOLKATA, 330), (NEW_YORK, -300)]
)
def test_it_is_dated_by_the_clock_on_the_wall(
    wiki: Wiki,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    zone: str,
    minutes: int,
) -> None:
    set_zone(monkeypatch, zone)
    write_report(wiki.ws, str(tmp_path / "report.html"))
    local = wiki.now + timedelta(minutes=minutes)
    words = f"A report of {local:%Y-%m-%d %H:%M}, from"
    assert words in (tmp_path / "report.html").read_text()


def test_reading_it_is_no_use(wiki: Wiki, tmp_path: Path) -> None:
    def use() -> object:
        from companion.lookup.index import current_index

        journal = wiki.ws.journal()
        return summarise_use(wiki.ws, current_index(wiki.ws, journal), journal)

    before = use()
    head = wiki.git("rev-parse", "HEAD")
    write_report(wiki.ws, str(tmp_path / "report.html"))

    assert use() == before
    assert wiki.git("rev-parse", "HEAD") == head
    assert wiki.git("status", "--porcelain") == ""


def test_a_belief_that_changed_stands_with_before_and_after(
    tmp_path: Path,
) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    wiki.ingest("The port of Bode is 4001.", source="the runbook")
    wiki.tick(days=1)
    wiki.consolidate()
    wiki.ingest(
        "Since 2 November 2026 the port of Bode is 6002.", source="the runbook"
    )
    wiki.tick(days=1)
    wiki.consolidate()
    found = collect_report(wiki.ws)

    assert found is not None
    assert [(each.before, each.after) for each in found.beliefs] == [
        ("4001", "6002")
    ]


def test_an_empty_wiki_has_a_report_too(tmp_path: Path) -> None:
    wiki = Wiki.new(tmp_path / "wiki")
    write_report(wiki.ws, str(tmp_path / "report.html"))

    assert "There are no pages yet." in (tmp_path / "report.html").read_text()


def test_before_the_first_run_there_is_nothing_to_report(
    tmp_path: Path,
) -> None:
    wiki = Wiki(tmp_path / "wiki")
    wiki.root.mkdir()
    subprocess.run(["git", "init", "-q", str(wiki.root)], check=True)
    (wiki.root / ".companion").mkdir()

    with pytest.raises(NothingToReport):
        write_report(wiki.ws, str(tmp_path / "report.html"))
    assert not (tmp_path / "report.html").exists()


def test_without_its_extra_it_names_the_extra(
    wiki: Wiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    path = tmp_path / "report.html"

    with pytest.raises(ReportNeedsMatplotlib) as raised:
        write_report(wiki.ws, str(path))
    assert "companion-wiki[report]" in raised.value.hint
    assert not path.exists()


@pytest.mark.needs("chromium", "PIL")
def test_a_browser_shows_it_light_and_dark_without_scrolling_sideways(
    wiki: Wiki, tmp_path: Path
) -> None:
    from PIL import Image

    path = tmp_path / "report.html"
    write_report(wiki.ws, str(path))
    corners = []
    for dark in (False, True):
        picture = tmp_path / f"{dark}.png"
        scheme = ["--blink-settings=preferredColorScheme=0"] if dark else []
        subprocess.run(
            [
                "chromium",
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                *scheme,
                "--window-size=500,3000",
                f"--screenshot={picture}",
                f"file://{path}",
            ],
            check=True,
            capture_output=True,
        )
        image = Image.open(picture).convert("RGB")
        corners.append(image.getpixel((2, 2)))
        # the margin at the right is empty: nothing is wider than the window
        right = image.crop((image.width - 4, 0, image.width, image.height))
        assert len(right.getcolors(100_000) or []) <= 2
    light, dark_corner = corners
    assert sum(light) > 600 > 200 > sum(dark_corner)
    assert re.search(r"<h2[^>]*>Growth</h2>", path.read_text())


@pytest.mark.parametrize("days", [1, 2, 4, 6, 40, 900])
def test_growth_has_an_axis_of_days_that_fits(days: int) -> None:
    first = date(2026, 11, 23)
    told = [
        DayCount((first + timedelta(days=n)).isoformat(), "consumed", 3)
        for n in {0, days - 1}
    ]
    drawn = draw_growth(told)
    below = re.findall(r"<text[^>]*>([^<]+)</text>", drawn)
    years = {word for word in below if re.fullmatch(r"20\d\d", word)}
    assert len(years) <= 1 + days // 365
    if days <= 4:
        named = [str((first + timedelta(days=n)).day) for n in (0, days - 1)]
        assert set(named) <= set(below)
    # no hours: a count is a day's
    assert not any(":" in word for word in below)
