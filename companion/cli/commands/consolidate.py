"""`companion consolidate`: one night: turn pending notes into pages, in one commit."""

from collections.abc import Iterator, Sequence

from companion.annotations import TYPE_CHECKING
from companion.cli.errors import Usage
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
from companion.values.wording import NO_PAGE, NONE_NEAR_ENOUGH, many

if TYPE_CHECKING:
    from companion.workspace import Workspace

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
        Option(
            "again",
            ("--again",),
            "Judge again what waits in quarantine and in branches, as after a change of the model.",
            "flag",
            False,
        ),
        Option(
            "gather",
            ("--gather",),
            "Take the notes of pages of one note to their subjects and days.",
            "flag",
            False,
        ),
        Option(
            "confirm",
            ("--confirm",),
            "Gather as the preview of this word showed.",
            metavar="WORD",
        ),
        EXPLAIN,
    ),
)


def run(
    ui: Ui,
    *,
    dry_run: bool,
    max_calls: int | None,
    held: bool,
    again: bool,
    gather: bool,
    confirm: str | None,
    explain: bool,
) -> int:
    """Consolidate what is pending, and print what was done with each note."""
    if gather:
        if held or again:
            name = "--held" if held else "--again"
            raise Usage(
                f"{name} and --gather do not go together",
                hint=f"Run a night with {name} first.",
            )
        return _gather(ui, dry_run=dry_run, confirm=confirm, explain=explain)
    if confirm is not None:
        raise Usage(
            "--confirm needs --gather",
            hint="`companion consolidate --gather --dry-run` names the word.",
        )
    from companion.operations.consolidate.run import consolidate
    from companion.values.allowance import Allowance
    from companion.workspace import open_workspace

    with ui.progress("consolidating") as progress:
        # first: what fails here must not fail a night that is done
        ws = open_workspace(ui.wiki)
        waiting = _count_waiting(ui, ws)
        doc = consolidate(
            ws,
            dry_run=dry_run,
            release=held,
            progress=progress,
            allowance=Allowance(max_calls),
            announce=ui.hint,
            again=again,
        )
    ui.result(doc, text(doc, explain=explain))
    if dry_run:
        ui.hint_dry_run()
    elif doc["left_out"]:
        ui.hint(
            "`companion adopt` takes the pages you changed by hand into the wiki."
        )
    if waiting:
        ui.hint(
            f"{many(waiting, 'source')} waiting: `companion contextualize` "
            "reads what waits, and so does every night."
        )
    return 0


def _count_waiting(ui: Ui, ws: "Workspace") -> int:
    """Return how many sources this step of the night leaves to the next, where that is shown."""
    if ui.json or ui.quiet:
        return 0
    from companion.reading.sources import count_waiting_sources

    return count_waiting_sources(ws)


def _gather(
    ui: Ui, *, dry_run: bool, confirm: str | None, explain: bool
) -> int:
    """Gather an existing wiki, or show what that would do."""
    from companion.operations.consolidate.gather.run import gather
    from companion.workspace import open_workspace

    with ui.progress("gathering") as progress:
        doc = gather(
            open_workspace(ui.wiki),
            dry_run=dry_run,
            confirm=confirm,
            progress=progress,
        )
    ui.result(doc, gather_text(doc, explain=explain))
    if doc["confirm"] and doc["gathered"]:
        ui.hint(
            "Nothing was changed. `companion consolidate --gather --confirm "
            f"{doc['confirm']}` does this; `companion undo` takes it back."
        )
    return 0


def gather_text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield where the notes of old pages go, or went, and which pages stay."""
    counts = doc["counts"]
    pages = counts.get("pages", 0)
    if pages:
        did = "would gather" if doc["dry_run"] else "gathered"
        into = many(counts.get("into", 0), "page")
        yield Title(
            f"{did} {many(pages, 'page')} of one note into {into}, "
            f"{counts.get('begun', 0):,} of them new"
        )
        yield from some(_gathered(doc["gathered"], explain=explain))
    yield from left_out(doc)
    yield from (f"note: {note}" for note in doc["notes"])
    if not (pages or doc["left_out"]):
        yield "nothing to gather"


def _gathered(items: Sequence[Doc], *, explain: bool) -> Iterator[str]:
    for item in items:
        yield f"  {item['from']} → {item['to']}"
        if explain:
            yield f"{'':11}{reason_of(item['reason'], explain=True)}"


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield what the night did, a sentence for each capture and branch; with *explain* also the
    numbers behind it, and which judge was asked.
    """
    dry_run = doc.get("dry_run", False)
    if doc["integrated"]:
        yield from _describe_integrated(doc["integrated"], dry_run, explain)
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


def _describe_integrated(
    items: Sequence[Doc], dry_run: bool, explain: bool
) -> Iterator[str]:
    """Yield where each note went, or would go; in one line for those that stand alone."""
    did = "would integrate" if dry_run else "integrated"
    yield Title(f"{did} {many(len(items), 'capture')}")
    if not (dry_run or explain):
        alone = [item for item in items if _stands_alone(item)]
        items = [item for item in items if not _stands_alone(item)]
        yield from _describe_alone(alone)
    yield from some(_integrated(items, explain=explain))


def _stands_alone(item: Doc) -> bool:
    """Tell whether all that a night has to say of a note is that it is about nothing known."""
    if item["quarantined"]:
        return False
    reason = reason_of(item["reason"], explain=False)
    return reason.endswith((f": {NO_PAGE}.", f": {NONE_NEAR_ENOUGH}."))


def _describe_alone(items: Sequence[Doc]) -> Iterator[str]:
    """Yield one line for the notes that stand on their days."""
    days = list(dict.fromkeys(item["path"] for item in items))
    if len(items) == 1:
        yield f"  1 note stands alone in {days[0]}; it is near no page"
    elif items:
        where = days[0] if len(days) == 1 else many(len(days), "day page")
        yield (
            f"  {many(len(items), 'note')} stand alone in {where}; none is near a page"
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
    "hold": "stays",
    "promote": "won",
    "follow": "follows",
}
