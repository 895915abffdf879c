"""`companion consolidate`: one night: turn pending notes into pages, in one commit."""

from collections.abc import Iterator, Sequence

from companion.cli.format import (
    Doc,
    ending,
    judges_asked,
    left_out,
    reason_of,
    section,
    short,
    some,
)
from companion.cli.lines import Field, Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, EXPLAIN, MAX_CALLS, Command, Option
from companion.values.wording import many

SPEC = Command(
    help="Turn pending notes into pages, in one commit.\n\n"
    "This is one night of the wiki: run it once a day, by hand or by cron. If `git reset` "
    "removed a run, its notes wait until the run returns, you capture them again, or you "
    "pass --held.",
    options=(
        DRY_RUN,
        MAX_CALLS,
        Option(
            "held",
            ("--held",),
            "Also take in notes of removed runs.",
            "flag",
            False,
        ),
        EXPLAIN,
    ),
)


def run(
    ui: Ui, *, dry_run: bool, max_calls: int | None, held: bool, explain: bool
) -> int:
    """Consolidate what is pending, and print what was done with each note."""
    from companion.operations.consolidate.run import consolidate
    from companion.workspace import open_workspace

    with ui.progress("consolidating") as progress:
        doc = consolidate(
            open_workspace(ui.wiki),
            dry_run=dry_run,
            release=held,
            progress=progress,
            max_calls=max_calls,
            announce=ui.hint,
        )
    ui.result(doc, text(doc, explain=explain))
    if dry_run:
        ui.hint_dry_run()
    elif doc["left_out"]:
        ui.hint(
            "`companion adopt` takes the pages you changed by hand into the wiki."
        )
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield what the night did, a sentence for each capture and branch; with *explain* also the
    numbers behind it, and which judge was asked.
    """
    dry_run = doc.get("dry_run", False)
    if doc["integrated"]:
        did = "would integrate" if dry_run else "integrated"
        yield Title(f"{did} {many(len(doc['integrated']), 'capture')}")
        yield from some(_integrated(doc["integrated"], explain=explain))
    yield from _decisions(doc.get("branches", ()), dry_run, explain=explain)
    waiting = [
        (short(item["capture"]), reason_of(item["reason"], explain=explain))
        for item in doc["waiting"]
    ]
    yield from section("waiting", waiting)
    yield from left_out(doc)
    yield from _elsewhere(doc)
    for judged in judges_asked(doc, explain=explain):
        yield Field("judged", judged)
    yield from ending(doc, "nothing to consolidate")


def _elsewhere(doc: Doc) -> Iterator[str]:
    """Yield what a night did beside integrating, so that no commit goes unexplained."""
    lines = [
        sentence.format(many(doc["counts"][name], noun))
        for name, noun, sentence in _ELSEWHERE
        if doc["counts"].get(name)
    ]
    used = doc["counts"].get("used", 0)
    if used and doc["commit"]:
        lines.append(f"recorded the use of {many(used, 'entry')}")
    yield from lines
    decided = doc["integrated"] or doc["waiting"] or doc.get("branches")
    if doc["commit"] and not (lines or decided):
        yield "recorded what you committed yourself"


_ELSEWHERE = (
    ("sighted", "note", "told again: {} already in the wiki"),
    ("facts", "page", "brought the facts of {} up to date"),
)


def _integrated(items: Sequence[Doc], *, explain: bool) -> Iterator[str]:
    for item in items:
        mark = "  (quarantined)" if item["quarantined"] else ""
        title = item["title"] or ""
        yield f"  {short(item['capture'])} → {item['path']}  {title}{mark}".rstrip()
        yield f"{'':11}{reason_of(item['reason'], explain=explain)}"


def _decisions(
    decisions: Sequence[Doc], dry_run: bool, *, explain: bool
) -> Iterator[str]:
    """Yield what a night decided, or would decide, about branches."""
    if decisions:
        yield Title("would decide on branches" if dry_run else "branches")
    for decision in decisions:
        name = f"minority/{decision['branch']}"
        if not decision["branch"]:
            name = ", ".join(map(short, decision["captures"]))
        yield f"  {_DID[decision['action']]:<8} {name}"
        yield f"{'':11}{reason_of(decision['reason'], explain=explain)}"


_DID = {
    "open": "opened",
    "grow": "grew",
    "extend": "waits",
    "hold": "held",
    "promote": "won",
    "follow": "follows",
}
