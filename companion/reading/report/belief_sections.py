"""The sections of a report about beliefs: branches, what changed, audits; pure."""

from collections.abc import Sequence

from companion.reading.report import figures
from companion.reading.report.html import (
    Html,
    Table,
    draw_table,
    element,
    figure,
    join,
    numbers,
    paragraph,
    say_nothing,
    section,
)
from companion.reading.report.values import (
    TITLES,
    BranchStory,
    ChangedBelief,
    ReportData,
)

_ROWS = 200  # of a table; a report is no export
_FIRST = 12  # rows of a table that is not opened
_SHOWN = 6  # branches that are drawn; the others stand in the table


def draw_branches(stories: Sequence[BranchStory]) -> Html:
    """Return the section about the branches, and how their pressure went."""
    words = paragraph(
        "A note that contradicts a protected page waits on a branch. Every"
        " independent source adds to its pressure, time takes some away. Above"
        " the dashed line the branch wins. The line moves: a page on which more"
        " depends is harder to overturn, one that nobody reads is easier."
    )
    if not stories:
        return section(
            "branches", TITLES["branches"], words, say_nothing("branches")
        )
    drawn = [
        _branch(story, number)
        for number, story in enumerate(stories[:_SHOWN], 1)
        if story.weighings
    ]
    rest = Table(
        "all branches",
        ("against", "state", "opened", "weighings", "pressure", "needed"),
        [_branch_row(story) for story in stories],
        frozenset((3, 4, 5)),
    )
    return section("branches", TITLES["branches"], words, *drawn, numbers(rest))


def _branch(story: BranchStory, number: int) -> Html:
    table = Table(
        f"weighings of {story.name}",
        ("cycle", "day", "pressure", "needed", "what happened", "why"),
        [
            (
                str(cycle),
                each.time[:10],
                f"{each.pressure:.2f}",
                f"{each.threshold:.2f}",
                each.event,
                each.reason,
            )
            for cycle, each in enumerate(story.weighings, 1)
        ][-_ROWS:],
        frozenset((2, 3)),
    )
    described = _tell_course(story)
    return join(
        [
            element("h3", f"Against {story.against}"),
            figure(
                figures.draw_branch(story, number),
                f"Pressure of a branch over {len(story.weighings)} cycles."
                f" {described}",
                f"{described} {story.why}",
                table,
            ),
        ]
    )


def _tell_course(story: BranchStory) -> str:
    """Return when a branch was opened, how it ended, and what its last pressure came to."""
    last = story.weighings[-1]
    words = f"Opened on {story.opened[:10]}"
    if story.state in _ENDINGS:
        words += f", {_ENDINGS[story.state]} on {last.time[:10]}"
    return (
        f"{words}. Its pressure came to {last.pressure:.2f};"
        f" {last.threshold:.2f} was needed."
    )


#: how a branch that is no longer open ended
_ENDINGS = {"promoted": "won", "closed": "closed"}


def _branch_row(story: BranchStory) -> tuple[str, ...]:
    pressure = threshold = ""
    if story.weighings:
        pressure = f"{story.weighings[-1].pressure:.2f}"
        threshold = f"{story.weighings[-1].threshold:.2f}"
    return (
        story.against,
        story.state,
        story.opened[:10],
        str(len(story.weighings)),
        pressure,
        threshold,
    )


def draw_beliefs(beliefs: Sequence[ChangedBelief]) -> Html:
    """Return the section about what is believed otherwise than before."""
    words = paragraph(
        "What the wiki holds otherwise than before. What lost is still there:"
        " `companion why PAGE` tells all of it."
    )
    if not beliefs:
        return section(
            "beliefs", TITLES["beliefs"], words, say_nothing("changed beliefs")
        )
    rows = [
        (
            belief.subject,
            element("del", belief.before),
            element("ins", belief.after),
            belief.time[:10],
            belief.why,
        )
        for belief in beliefs
    ]
    table = Table(
        "beliefs that changed, the newest first",
        ("about", "before", "after", "since", "why"),
        rows,
    )
    return section("beliefs", TITLES["beliefs"], words, *_begin_table(table))


def draw_audits(report: ReportData) -> Html:
    """Return the section about what audits found."""
    words = paragraph(
        "An audit takes a page away for a moment, asks recorded questions again"
        " and looks whether the answers get worse. A page that no question needs"
        " loses half of its weight."
    )
    if not report.audits:
        return section("audits", TITLES["audits"], words, say_nothing("audits"))
    rows = [
        (
            audit.title + (", one statement" if audit.is_of_statement else ""),
            _RESULTS.get(audit.result or "", "too few questions to tell"),
            audit.outcome or "",
            audit.since[:10],
        )
        for audit in report.audits
    ]
    table = Table(
        "audits, the newest first",
        ("page", "result", "what follows", "day"),
        rows,
    )
    return section("audits", TITLES["audits"], words, *_begin_table(table))


_RESULTS = {
    "degraded": "answers need it",
    "unchanged": "no answer changed",
    "improved": "answers are better without it",
}


def _begin_table(table: Table) -> list[Html]:
    """Return the first rows of a table, and all of them where there are more."""
    first = table._replace(rows=table.rows[:_FIRST])
    drawn = [draw_table(first, stacks=True)]
    if len(table.rows) > _FIRST:
        whole = table._replace(caption=f"all {len(table.rows):,}")
        drawn.append(numbers(whole))
    return drawn
