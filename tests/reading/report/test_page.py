"""The page of a report: safe, self-contained, small, and usable without seeing it."""

import re
from html.parser import HTMLParser

import pytest

from companion.reading.report.html import Table, draw_table, element, safe
from companion.reading.report.page import write_page
from companion.reading.report.values import (
    TITLES,
    BranchStory,
    ChangedBelief,
    ReportData,
    Weighing,
)
from companion.sleep.nights import NightRecord, StepRecord
from companion.storage.index.survey import (
    AuditLine,
    DayCount,
    JudgeCount,
    PageStanding,
    Tidiness,
)

EVIL = '</script><img src=x onerror="alert(1)">$\\frac{$ & "q" \x1b[31m\u202e'
NOW = "2026-11-23T06:00:00.000000Z"
VOID = {"meta", "br", "img", "link", "path", "use", "rect", "line"}


def page_of(n: int, title: str = "Page", **changes: object) -> PageStanding:
    page = PageStanding(
        f"{n:016x}", f"{title} {n}", f"{n}.md", (n % 97) / 97, (n % 31) / 31,
        n % 7 == 0, "active", 1 + n % 3, n % 5, None,
    )  # fmt: skip
    return page._replace(**changes)


def report(pages: int = 12, title: str = "Page", cycles: int = 4) -> ReportData:
    some = [page_of(n, title) for n in range(pages)]
    step = StepRecord("consolidate", "done", 61.0, "run", "Took in notes.")
    night = NightRecord(
        "2026-11-23T04:45:00+01:00", "2026-11-23T04:52:00+01:00", "slept",
        "night", "", "due", None, (step,),
    )  # fmt: skip
    weighings = tuple(
        Weighing(NOW, "weighed", n / 3, 2.0, title) for n in range(cycles)
    )
    return ReportData(
        name=title,
        now=NOW,
        as_of="2026-11-23-consolidate-0123456789ab",
        runs=7,
        days=[
            DayCount(f"2026-{1 + n // 28:02}-{1 + n % 28:02}", event, n + 1)
            for n in range(300)
            for event in ("consumed", "created", "archived", "sighted")
        ],
        pages=some,
        floor=0.5,
        graph_pages=some[:120],
        graph_links=[
            (some[n].id, some[(n * 7 + 1) % min(120, pages)].id)
            for n in range(min(120, pages))
        ],
        branches=[
            BranchStory("b", title, "open", NOW, title, weighings)
            for _ in range(24)
        ],
        beliefs=[ChangedBelief(title, title, title, NOW, title)] * 60,
        audits=[
            AuditLine(NOW, title, "closed", "unchanged", "archived", True, True)
        ]
        * 60,
        tidiness=Tidiness(1, 2, 3),
        told_again=4,
        notes=40,
        nights=[night] * 90,
        judges=[JudgeCount(title, "relate", 3)],
    )


class Reader(HTMLParser):
    """What a screen reader meets: headings, links, images, tables."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []

    def handle_starttag(
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    assert reader.open == []  # every element is closed
    return reader


def test_titles_and_texts_are_never_markup() -> None:
    read_back = read(write_page(report(title=EVIL), ""))

    tags = {tag for tag, _ in read_back.tags}
    assert not tags & {"script", "img", "iframe", "object", "form"}
    for _, attributes in read_back.tags:
        assert not [name for name in attributes if name.startswith("on")]
    words = "".join(read_back.text)
    assert "onerror=" in words  # as text
    assert "\x1b" not in words
    assert "\u202e" not in words


def test_nothing_is_fetched() -> None:
    page = write_page(report(), "body {}")

    sources = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert [each for each in sources if not each.startswith("#")] == []
    assert "url(http" not in page
    assert "default-src 'none'" in page


def test_a_screen_reader_finds_every_section_figure_and_table() -> None:
    found = read(write_page(report(), ""))

    headings = [tag for tag, _ in found.tags if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == "h1"
    assert headings.count("h1") == 1
    assert headings.count("h2") == len(TITLES)
    ids = [
        attributes["id"] for _, attributes in found.tags if "id" in attributes
    ]
    assert len(ids) == len(set(ids))
    for tag, attributes in found.tags:
        if tag == "svg":
            assert attributes["role"] == "img"
            assert attributes["aria-label"]
    drawn = sum(tag == "svg" for tag, _ in found.tags)
    tables = sum(tag == "table" for tag, _ in found.tags)
    assert tables >= drawn > 5
    assert ("a", {"href": "#main", "class": "skip"}) in found.tags


def test_a_report_of_a_long_life_stays_below_two_megabytes() -> None:
    long_title = "a title of some length that people give " * 7
    grown = report(20_000, long_title, cycles=200)

    assert len(write_page(grown, "").encode()) < 2_000_000


def test_the_same_wiki_gives_the_same_page() -> None:
    assert write_page(report(), "") == write_page(report(), "")


def test_colours_come_from_the_style_sheet() -> None:
    page = write_page(report(), "")

    assert "var(--ink)" in page
    assert "#0101" not in page


def test_text_of_figures_stays_text() -> None:
    page = write_page(report(title="Überblick 日本"), "")

    assert re.search(r"<text[^>]*>Überblick 日本 \d+</text>", page)


def test_what_is_no_html_is_escaped_once() -> None:
    assert safe("a < b & c") == "a &lt; b &amp; c"
    assert safe(safe("a < b")) == "a &lt; b"
    assert element("p", "<b>") == "<p>&lt;b&gt;</p>"
    row = draw_table(Table("x", ("a", "b"), [("<i>", "2026-11-23")]))
    assert "&lt;i&gt;" in row
    assert 'class="day"' in row


def test_vitality_that_nobody_measured_is_not_drawn() -> None:
    measured = report()
    unmeasured = measured._replace(
        pages=[page._replace(vitality=0.0) for page in measured.pages]
    )
    drawn, bare = (write_page(each, "") for each in (measured, unmeasured))
    assert "has not run yet" not in drawn
    assert "has not run yet" in bare
    assert bare.count("<svg") == drawn.count("<svg") - 1


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("open", "Opened on 2026-11-23. Its pressure came to 1.00"),
        ("promoted", "Opened on 2026-11-23, won on 2026-11-23. Its pressure"),
        ("closed", "Opened on 2026-11-23, closed on 2026-11-23."),
    ],
)
def test_a_branch_says_when_it_was_opened_and_how_it_ended(
    state: str, words: str
) -> None:
    branch = report().branches[0]._replace(state=state)
    assert words in write_page(report()._replace(branches=[branch]), "")
