"""`companion show`: show one page or capture."""

from collections.abc import Iterator

from companion.cli.entry_text import audited, faded, place, shift, used, weight
from companion.cli.format import (
    Doc,
    at,
    short,
    some,
    state_of,
    titled,
    whole_text,
)
from companion.cli.lines import Aside, Row, Title
from companion.cli.output import Ui
from companion.cli.spec import EXPLAIN, READER, TARGET, Command, Option
from companion.values.wording import list_words, many

SPEC = Command(
    help="Show a page or a note.",
    argument=TARGET,
    options=(
        Option(
            "raw",
            ("--raw",),
            "Print the stored text and nothing else.",
            "flag",
            False,
        ),
        EXPLAIN,
        READER,
    ),
    hot=True,
)


def run(
    ui: Ui, *, target: list[str], raw: bool, explain: bool, agent: str | None
) -> int:
    """Print a page or a capture; with *raw*, its stored text and nothing else."""
    from companion.reading.entry.show import show_target
    from companion.usage.record_read import record_show
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = show_target(ws, " ".join(target))
    if raw and not ui.json:
        ui.verbatim(doc["text"])
        ui.warn(doc)
    else:
        ui.result(doc, text(doc, explain=explain))
    ui.hint_unrecorded(record_show(ws, doc))
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield the page or capture; with *explain* also its gravity, utility and vitality."""
    yield Title(titled(doc) + state_of(doc["state"]))
    known = (doc["kind"], doc["path"], short(doc["id"]))
    yield Aside("  " + " · ".join(part for part in known if part))
    yield from weight(doc, explain=explain)
    yield from used(doc, explain=explain)
    yield from faded(doc, explain=explain)
    yield from shift(doc)
    for record in doc.get("audits", ()):
        yield f"  {audited(record)}"
    for support in doc.get("rests_on", ()):
        yield f"  {_fallen(support)}  (question {support['flag']})"
    yield from _gathered(doc)
    yield from _source(doc, explain=explain)
    yield from place(doc)
    yield from _devices(doc)
    yield ""
    yield from whole_text(doc["text"])


def _devices(doc: Doc) -> Iterator[str]:
    """Yield what a note was told on, where its person named the device."""
    devices = {one["device"] for one in doc.get("sightings", ())} - {None}
    if devices:
        yield f"  Told on {list_words(sorted(devices))}."


def _fallen(support: Doc) -> str:
    """Return what of a page depends on something that fell."""
    note = support["statement"]
    if note is None:
        return f"Depends on what no longer stands: {support['reason']}"
    words = note["words"] or "a note that is gone"
    return f"Its note “{words}” depends on what no longer stands: {support['reason']}"


def _gathered(doc: Doc) -> Iterator[str]:
    """Yield what a page gathers: its notes, and those that mention it."""
    subject = doc.get("subject")
    if subject is not None:
        yield _GATHERS[subject["kind"]].format(doc["title"])
    statements = doc.get("statements", ())
    rows = [_statement(statement) for statement in statements]
    if rows:
        yield f"  {many(len(rows), 'note')} on this page:"
        yield from some(rows)
    mentions = doc.get("mentions", ())
    if mentions:
        yield f"  Mentioned by {many(len(mentions), 'note')} elsewhere:"
        yield from some(_mention(mention) for mention in mentions)


_GATHERS = {
    "day": "  Gathers the notes of {} that are about no other page.",
    "subject": "  Gathers what is said of {}.",
    "series": "  Gathers the values of {}.",
    "chat": "  Gathers one conversation.",
    "source": "  What a source says, at the depth at which you work on it.",
}


def _source(doc: Doc, *, explain: bool) -> Iterator[str]:
    """Yield where a source's page comes from, and how much of the original it has."""
    source = doc.get("source")
    if source is None:
        return
    where = source["url"] or source["origin"] or ""
    yield f"  Read {at(source['read_at'])} from {where}"
    share = f"{source['kept']:,} of {source['sentences']:,} sentences"
    yield f"  Depth: {source['depth']} ({share}). Original: `companion recall {short(doc['id'])}`"
    if explain:
        yield from (f"    {line}" for line in source["evidence"])
        for what, count in source["dropped"].items():
            yield f"    left out: {many(count, what)}"
        ids = f"original {source['original'][:12]}, cold {source['cold']}"
        yield f"    {ids}, by {source['reader']}"
    for earlier in source["earlier"]:
        yield f"    read before on {at(earlier['read_at'])}: {earlier['depth']}"


def _statement(statement: Doc) -> str:
    """Return one note of a page: when it was told, its first words, by whom, and its state."""
    words = statement["words"] or "in cold memory"
    told = ", ".join(statement["sources"])
    state = "" if statement["state"] == "stands" else statement["state"]
    parts = (words, told, state)
    return Row(
        statement["when"] or "",
        "^" + statement["statement"],
        " · ".join(part for part in parts if part),
        widths=(16, 13),
        indent=4,
    )


def _mention(mention: Doc) -> str:
    return Row(
        mention["when"],
        "^" + mention["statement"],
        f"{mention['words']} · {mention['page']['title']}",
        widths=(16, 13),
        indent=4,
    )
