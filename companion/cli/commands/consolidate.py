"""`companion consolidate`: one night: turn pending captures into pages, in one commit."""

from collections.abc import Iterator, Sequence

from companion.cli.format import Doc, ending, section, short, some
from companion.cli.options import DRY_RUN, MAX_CALLS
from companion.cli.output import Title, Ui
from companion.cli.spec import Command, Option
from companion.values.wording import many

SPEC = Command(
    help="One night: turn pending captures into pages, in one commit.\n\n"
    "What a run had consumed that a reset took off the branch is held: it comes back with the run, or when it is "
    "told again, or with --held.",
    options=(
        DRY_RUN,
        MAX_CALLS,
        Option("held", ("--held",), "Also take in what is held.", "flag", False),
    ),
)


def run(ui: Ui, *, dry_run: bool, max_calls: int | None, held: bool) -> int:
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
    ui.result(doc, text(doc))
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    elif doc["left_out"]:
        ui.hint("`companion adopt` takes the pages you changed by hand into the wiki.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    if doc["integrated"]:
        did = "would integrate" if doc.get("dry_run") else "integrated"
        yield Title(f"{did} {many(len(doc['integrated']), 'capture')}")
        yield from some(line for item in doc["integrated"] for line in _integrated(item))
    yield from decisions(doc.get("branches", ()), doc.get("dry_run", False))
    yield from section(
        "waiting", ((short(item["capture"]), item["reason"]) for item in doc["waiting"])
    )
    yield from section("left out", ((item["path"], item["reason"]) for item in doc["left_out"]))
    yield from _elsewhere(doc)
    yield from (f"judged    {tally['said']}" for tally in doc["judged"])
    yield from ending(doc, "nothing to consolidate")


def _elsewhere(doc: Doc) -> Iterator[str]:
    """Say what a night did beside integrating: a commit that no line explains would be a riddle."""
    again = doc["counts"].get("sighted", 0)
    if again:
        yield f"told again: {many(again, 'note')} already in the wiki"
    facts = doc["counts"].get("facts", 0)
    if facts:
        yield f"facts     brought up to date in {many(facts, 'page')}"
    used = doc["counts"].get("used", 0)
    if used and doc["commit"]:
        yield f"use       of {many(used, 'entry')} taken on record"
    if doc["commit"] and not (
        again or facts or used or doc["integrated"] or doc["waiting"] or doc.get("branches")
    ):
        yield "recorded what you committed yourself"


def _integrated(item: Doc) -> Iterator[str]:
    mark = (
        f"  ({'quarantined' if item['quarantined'] else item['bucket']})" if item["bucket"] else ""
    )
    yield f"  {short(item['capture'])} → {item['path']}  {item['title'] or ''}{mark}"
    yield f"{'':11}{item['reason']}"


def decisions(made: Sequence[Doc], dry_run: bool) -> Iterator[str]:
    """Say what a night decided, or would decide, about branches."""
    if made:
        yield Title("would decide on branches" if dry_run else "branches")
    for each in made:
        name = f"minority/{each['branch']}" if each["branch"] else "extended buffer"
        yield f"  {_DID[each['action']]:<8} {name}"
        yield f"{'':11}{each['reason']}"


_DID = {
    "open": "opened",
    "grow": "grew",
    "extend": "waits",
    "hold": "presses",
    "promote": "won",
    "follow": "follows",
}
