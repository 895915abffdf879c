"""Write a report as one HTML page that needs no network and no script; pure."""

from companion.reading.report import belief_sections, wiki_sections
from companion.reading.report.html import (
    Html,
    element,
    join,
    paragraph,
)
from companion.reading.report.values import TITLES, ReportData
from companion.values.wording import many


def write_page(report: ReportData, style: str) -> str:
    """Return the whole page."""
    sections = {
        "growth": wiki_sections.draw_growth(report),
        "standing": wiki_sections.draw_standing(report),
        "graph": wiki_sections.draw_graph(report),
        "branches": belief_sections.draw_branches(report.branches),
        "beliefs": belief_sections.draw_beliefs(report.beliefs),
        "audits": belief_sections.draw_audits(report),
        "junk": wiki_sections.draw_junk(report),
        "cost": wiki_sections.draw_cost(report),
    }
    links = [
        element("li", element("a", TITLES[id], href=f"#{id}"))
        for id in sections
    ]
    head = (
        '<meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    )
    title = element("title", f"{report.name}: a report")
    body = join(
        [
            element("a", "Skip to the report", href="#main", klass="skip"),
            element(
                "header",
                element("h1", report.name),
                paragraph(_subtitle(report), soft=True),
                _sums(report),
                element("nav", element("ul", *links), aria_label="Sections"),
            ),
            element("main", *sections.values(), id="main"),
            element(
                "footer",
                paragraph(
                    "Made by companion on this machine. Nothing in it was told"
                    " in private. Reading it counts as no use of a page."
                ),
            ),
        ]
    )
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}{title}'
        f"<style>{style}</style></head>\n<body>{body}</body></html>\n"
    )


def _subtitle(report: ReportData) -> str:
    newest = f", up to {report.as_of}" if report.as_of else ""
    return f"A report of {report.now}, from {many(report.runs, 'run')}{newest}."


def _sums(report: ReportData) -> Html:
    protected = sum(page.is_protected for page in report.pages)
    opened = sum(story.state == "open" for story in report.branches)
    pairs = (
        ("notes taken in", report.notes),
        ("pages", len(report.pages)),
        ("protected pages", protected),
        ("open branches", opened),
    )
    items = [
        element("div", element("dt", name), element("dd", f"{number:,}"))
        for name, number in pairs
    ]
    return element("dl", *items, klass="sums")
