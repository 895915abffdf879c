"""The sections of a report about the wiki as a whole: growth, graph, junk, cost; pure."""

from companion.reading.report import figures
from companion.reading.report.html import (
    Html,
    Table,
    draw_table,
    figure,
    numbers,
    paragraph,
    say_nothing,
    section,
    sentence,
)
from companion.reading.report.values import TITLES, ReportData
from companion.storage.index.survey import PageStanding
from companion.values.wording import many

_ROWS = 200  # of a table; a report is no export


def draw_growth(report: ReportData) -> Html:
    """Return the section about how notes and pages grew."""
    words = paragraph(
        "What came in, and what became of it. A page may gather many notes."
    )
    if not report.days:
        return section("growth", TITLES["growth"], words, say_nothing("notes"))
    months = _by_month(report)
    table = Table(
        "notes and pages by month",
        ("month", "notes", "told again", "new pages", "archived"),
        months[-_ROWS:],
        frozenset((1, 2, 3, 4)),
    )
    became = many(len(report.pages), "page")
    described = f"{many(report.notes, 'note')} became {became}."
    drawn = figure(
        figures.draw_growth(report.days),
        f"Two rising lines: {described}",
        described,
        table,
    )
    return section("growth", TITLES["growth"], words, drawn)


def _by_month(report: ReportData) -> list[tuple[str, ...]]:
    counts: dict[str, dict[str, int]] = {}
    for day in report.days:
        of_month = counts.setdefault(day.day[:7], {})
        of_month[day.event] = of_month.get(day.event, 0) + day.number
    rows: list[tuple[str, ...]] = []
    for month, found in sorted(counts.items()):
        made = found.get("created", 0) + found.get("registered", 0)
        rows.append(
            (
                month,
                f"{found.get('consumed', 0):,}",
                f"{found.get('sighted', 0):,}",
                f"{made:,}",
                f"{found.get('archived', 0):,}",
            )
        )
    return rows


def draw_standing(report: ReportData) -> Html:
    """Return the section about each page's gravity and vitality."""
    words = paragraph(
        "Gravity says how much of the wiki depends on a page. Vitality says"
        " how alive it is: recently read, often read, praised. A page above the"
        " floor never fades, however long nobody reads it."
    )
    if not report.pages:
        return section(
            "standing", TITLES["standing"], words, say_nothing("pages")
        )
    protected = sum(page.is_protected for page in report.pages)
    table = Table(
        "the pages with most gravity",
        ("page", "gravity", "vitality", "needed by", "protected"),
        [_standing_row(page) for page in report.pages[:40]],
        frozenset((1, 2, 3)),
    )
    described = (
        f"{many(len(report.pages), 'page')}, {protected:,} of them protected."
    )
    if not any(page.vitality for page in report.pages):
        unmeasured = paragraph(
            "`companion decay` measures vitality and protects pages, and has"
            " not run yet.",
            soft=True,
        )
        parts = [words, unmeasured, numbers(table)]
        return section("standing", TITLES["standing"], *parts)
    drawn = figure(
        figures.draw_standing(report.pages, report.floor),
        f"Each page by its gravity and its vitality: {described}",
        described,
        table,
    )
    return section("standing", TITLES["standing"], words, drawn)


def _standing_row(page: PageStanding) -> tuple[str, ...]:
    return (
        page.title,
        f"{page.gravity:.2f}",
        f"{page.vitality:.2f}",
        f"{page.dependents:,}",
        "yes" if page.is_protected else "",
    )


def draw_graph(report: ReportData) -> Html:
    """Return the section about the graph of the heaviest pages."""
    linked = {id for link in report.graph_links for id in link}
    pages = [page for page in report.graph_pages if page.id in linked]
    if not pages:
        return section("graph", TITLES["graph"], say_nothing("links"))
    alone = len(report.graph_pages) - len(pages)
    words = paragraph(
        f"Of the {len(report.graph_pages):,} pages with most gravity, those with"
        " links between them. The larger a page, the more depends on it;"
        f" protected pages are red squares. {alone:,} others have no such link."
    )
    count = len(pages)
    titles = {page.id: page.title for page in report.graph_pages}
    table = Table(
        "links between these pages",
        ("page", "depends on"),
        [
            (titles[source], titles[target])
            for source, target in report.graph_links[:_ROWS]
        ],
    )
    heaviest = ", ".join(page.title for page in pages[:5])
    drawn = figure(
        figures.draw_graph(pages, report.graph_links),
        f"A graph of {count:,} pages. Most depends on {heaviest}.",
        f"Most depends on {heaviest}.",
        table,
    )
    return section("graph", TITLES["graph"], words, drawn)


def draw_junk(report: ReportData) -> Html:
    """Return the section about what may be junk, and what each figure means."""
    words = paragraph(
        "Every memory gathers junk. These figures say how much of it is here,"
        " and none of them is an alarm: a page of one note may be just right."
    )
    pages = report.pages
    written = [page for page in pages if page.notes]
    single = sum(page.notes == 1 for page in written)
    alone = sum(page.dependents == 0 for page in pages)
    unread = sum(page.last_read is None for page in pages)
    tidy = report.tidiness
    rows = [
        (
            "Pages of one note",
            _share(single, len(written)),
            "Notes that found no page to join.",
        ),
        (
            "Pages that nothing depends on",
            _share(alone, len(pages)),
            "No other page links to them or rests on them.",
        ),
        (
            "Pages never read",
            _share(unread, len(pages)),
            "They fade first, unless others depend on them.",
        ),
        (
            "Notes told again",
            f"{report.told_again:,}",
            "Words that were here already: they made no second page.",
        ),
        (
            "Links to pages that do not exist",
            f"{tidy.broken_links:,}",
            sentence("Write the page, or mend the link (`companion links`)."),
        ),
        (
            "Pages that share a title",
            f"{tidy.pages_of_one_title:,}",
            "A link by that title may lead to the wrong one.",
        ),
        (
            "Pages in quarantine",
            f"{tidy.quarantined:,}",
            sentence(
                "They contradict what is known, and wait (`companion review`)."
            ),
        ),
    ]
    table = Table(
        "what may be junk",
        ("figure", "how much", "what it means"),
        rows,
        frozenset((1,)),
    )
    return section(
        "junk", TITLES["junk"], words, draw_table(table, stacks=True)
    )


def _share(part: int, whole: int) -> str:
    if not whole:
        return "none"
    return f"{part:,} of {whole:,} ({part / whole:.0%})"


def draw_cost(report: ReportData) -> Html:
    """Return the section about what nights and judges cost."""
    words = paragraph(
        "What nights cost this machine, and how many answers of judges are on"
        " record. An answer on record is never asked for again."
    )
    parts = [words]
    nights = [night for night in report.nights if night.steps]
    if nights:
        parts.append(_nights(report))
    else:
        parts.append(paragraph("No night by `companion sleep` yet.", soft=True))
    if report.judges:
        table = Table(
            "answers on record",
            ("judge", "question", "answers"),
            [
                (each.judge, each.task, f"{each.number:,}")
                for each in report.judges[:_ROWS]
            ],
            frozenset((2,)),
        )
        parts.append(draw_table(table, stacks=True))
    return section("cost", TITLES["cost"], *parts)


def _nights(report: ReportData) -> Html:
    nights = [night for night in report.nights if night.steps]
    seconds = [sum(step.seconds for step in night.steps) for night in nights]
    table = Table(
        "the last nights",
        ("night", "outcome", "minutes"),
        [
            (
                night.ended[:16].replace("T", " "),
                night.outcome,
                f"{spent / 60:.1f}",
            )
            for night, spent in zip(nights, seconds, strict=True)
        ],
        frozenset((2,)),
    )
    mean = sum(seconds) / len(seconds) / 60
    described = f"{many(len(nights), 'night')}, {mean:.1f} minutes on average."
    return figure(
        figures.draw_nights(report),
        f"Minutes of each night by its steps: {described}",
        described,
        table,
    )
