"""`companion contextualize`: read what came in from outside, and fit it to what you work on."""

import os
from collections.abc import Iterator, Sequence

from companion.cli.format import Doc, ending, reason_of, section, some
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, EXPLAIN, MAX_CALLS, Command, Option
from companion.values.wording import many

_STEPS = ("linkout", "brief", "key points", "detailed", "full text")

SPEC = Command(
    help="Read the sources that came in, and fit them to what you work on.\n\n"
    "A web page, a PDF, a mail or a conversation is kept whole in cold memory; what is handed "
    "to the next `companion consolidate` has the depth at which you work on its topic. A long "
    "pass may be stopped: the next one goes on from there.",
    options=(
        Option(
            "source",
            ("--source",),
            "Read only this source, also once more: its title, page, file or address.",
            metavar="ID",
        ),
        Option(
            "depth",
            ("--depth",),
            "How much of it is kept, whatever you worked on.",
            "choice",
            metavar="STEP",
            choices=_STEPS,
        ),
        Option(
            "max_minutes",
            ("--max-minutes",),
            "Stop after this time; the rest waits for the next pass.",
            "count",
            metavar="N",
        ),
        MAX_CALLS,
        DRY_RUN,
        EXPLAIN,
    ),
)


def run(
    ui: Ui,
    *,
    source: str | None,
    depth: str | None,
    max_minutes: int | None,
    max_calls: int | None,
    dry_run: bool,
    explain: bool,
) -> int:
    """Read the sources that wait, and print what became of each."""
    from companion.operations.contextualize.represent import find_step
    from companion.operations.contextualize.run import contextualize
    from companion.values.allowance import Allowance
    from companion.workspace import make_deadline, open_workspace

    if source is not None and os.path.exists(source):
        # a file is known by the name that the door gave it
        from companion.operations.triage.readers import source_of

        source = source_of(source)
    with ui.progress("reading sources") as progress:
        doc = contextualize(
            open_workspace(ui.wiki),
            target=source,
            step=find_step(depth),
            dry_run=dry_run,
            is_over=make_deadline(max_minutes),
            progress=progress,
            allowance=Allowance(max_calls),
        )
    ui.result(doc, text(doc, explain=explain))
    if dry_run:
        ui.hint_dry_run()
    elif doc["commit"] and doc["sources"]:
        ui.hint("`companion consolidate` makes their pages.")
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield a sentence for each source; with *explain* also why it has its depth."""
    if doc["sources"]:
        did = "would read" if doc["dry_run"] else "read"
        yield Title(f"{did} {many(len(doc['sources']), 'source')}")
        yield from some(_sources(doc["sources"], explain=explain))
    yield from section("passed over", _unread(doc["passed_over"]))
    yield from section("could not be read", _unread(doc["unread"]))
    yield from section("kept back for you", _locked(doc["locked"]))
    if doc["left"]:
        yield f"{many(doc['left'], 'source')} left for the next pass"
    if doc["private"]:
        count = many(doc["private"], "private source")
        yield f"{count} left unread: a page would show what was told in private"
    yield from ending(doc, "no source waits")


def _sources(items: Sequence[Doc], *, explain: bool) -> Iterator[str]:
    for item in items:
        again = ", once more" if item["again"] else ""
        yield f"  {item['title'] or item['source']}  ({item['depth']}{again})"
        if explain:
            yield f"    {item['kept']:,} of {item['sentences']:,} sentences kept"
            yield f"    {reason_of(item['reason'], explain=True)}"
        for warning in item["warnings"]:
            yield f"    {warning}"


def _unread(items: Sequence[Doc]) -> Iterator[tuple[str, str]]:
    for item in items:
        yield item["origin"], f"{item['reason']}. {item['hint']}".strip()


def _locked(items: Sequence[Doc]) -> Iterator[tuple[str, str]]:
    for item in items:
        kinds = ", ".join(item["kinds"])
        yield item["origin"], f"it holds a secret ({kinds}): `companion review`"
