"""`companion consolidate`: one night: turn pending captures into pages, in one commit."""

from collections.abc import Iterator, Sequence

from companion.cli.format import Doc, ending, reason_of, section, short, some
from companion.cli.options import DRY_RUN, EXPLAIN, MAX_CALLS
from companion.cli.output import Title, Ui
from companion.cli.spec import Command, Option
from companion.values.wording import many

SPEC = Command(
    help="One night: turn pending captures into pages, in one commit.\n\n"
    "If `git reset` removed a run, its notes wait until the run returns, you capture them again, or you pass "
    "--held.",
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
    from companion.operations.consolidate import run as night
    from companion.workspace import open_workspace

    with ui.progress("consolidating") as progress:
        doc = night.consolidate(
            open_workspace(ui.wiki),
            dry_run=dry_run,
            release=held,
            progress=progress,
            max_calls=max_calls,
            announce=ui.hint,
        )
    ui.result(doc, text(doc, explain=explain))
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    elif doc["left_out"]:
        ui.hint(
            "`companion adopt` takes the pages you changed by hand into the wiki."
        )
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield what the night did, a sentence for each capture and branch; with *explain* also the
    numbers behind it, and which judge was asked.
    """
    if doc["integrated"]:
        did = "would integrate" if doc.get("dry_run") else "integrated"
        yield Title(f"{did} {many(len(doc['integrated']), 'capture')}")
        yield from some(_integrated(doc["integrated"], explain=explain))
    yield from _decisions(
        doc.get("branches", ()), doc.get("dry_run", False), explain=explain
    )
    waiting = (
        (short(item["capture"]), reason_of(item["reason"], explain=explain))
        for item in doc["waiting"]
    )
    yield from section("waiting", waiting)
    yield from section(
        "left out", ((item["path"], item["reason"]) for item in doc["left_out"])
    )
    yield from _elsewhere(doc)
    if explain:
        yield from (f"judged    {tally['said']}" for tally in doc["judged"])
    yield from ending(doc, "nothing to consolidate")


def _elsewhere(doc: Doc) -> Iterator[str]:
    """Yield what a night did beside integrating, so that no commit goes unexplained."""
    again = doc["counts"].get("sighted", 0)
    if again:
        yield f"told again: {many(again, 'note')} already in the wiki"
    facts = doc["counts"].get("facts", 0)
    if facts:
        yield f"facts     brought up to date in {many(facts, 'page')}"
    used = doc["counts"].get("used", 0)
    if used and doc["commit"]:
        yield f"use       recorded for {many(used, 'entry')}"
    if doc["commit"] and not (
        again
        or facts
        or used
        or doc["integrated"]
        or doc["waiting"]
        or doc.get("branches")
    ):
        yield "recorded what you committed yourself"


def _integrated(items: Sequence[Doc], *, explain: bool) -> Iterator[str]:
    for item in items:
        mark = "  (quarantined)" if item["quarantined"] else ""
        title = item["title"] or ""
        yield f"  {short(item['capture'])} → {item['path']}  {title}{mark}".rstrip()
        yield f"{'':11}{reason_of(item['reason'], explain=explain)}"


def _decisions(
    made: Sequence[Doc], dry_run: bool, *, explain: bool
) -> Iterator[str]:
    """Say what a night decided, or would decide, about branches."""
    if made:
        yield Title("would decide on branches" if dry_run else "branches")
    for each in made:
        captures = ", ".join(short(capture) for capture in each["captures"])
        name = f"minority/{each['branch']}" if each["branch"] else captures
        yield f"  {_DID[each['action']]:<8} {name}"
        yield f"{'':11}{reason_of(each['reason'], explain=explain)}"


_DID = {
    "open": "opened",
    "grow": "grew",
    "extend": "waits",
    "hold": "held",
    "promote": "won",
    "follow": "follows",
}
