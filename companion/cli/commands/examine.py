"""`companion examine`: what our finders say of the memory of another program."""

from collections.abc import Iterator

from companion.cli.format import Doc, counts, section
from companion.cli.lines import Title
from companion.cli.output import Ui
from companion.cli.spec import Argument, Command

SPEC = Command(
    help="Tell what contradicts, was replaced or is said twice in a memory.\n\n"
    "It reads a folder of notes, or what mem0, basic-memory, MemPalace or an assistant exports, "
    "into a temporary wiki, and sleeps one night there. What you name is only read, and no wiki of "
    "yours is touched.",
    argument=Argument(
        "what", "FILE|FOLDER", "What to look through.", many=True, required=True
    ),
)

_HEADINGS = {
    "contradicts": "contradict each other",
    "replaces": "replaced by a later value, and still there",
    "repeats": "say the same",
}


def run(ui: Ui, *, what: list[str]) -> int:
    """Examine what is named and print what was found."""
    from companion.maintenance.examine import examine

    with ui.progress("examining") as progress:
        doc = examine(what, progress)
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield the counts, and then each finding with the words of both notes."""
    numbers = doc["counts"]
    names = {
        "notes": "notes read",
        "contradicts": "in contradiction",
        "replaces": "replaced",
        "repeats": "alike",
        "told_twice": "told twice",
        "disputed": "facts in dispute",
    }
    yield Title(counts({name: numbers[key] for key, name in names.items()}))
    for kind, heading in _HEADINGS.items():
        pairs = [pair for pair in doc["pairs"] if pair["kind"] == kind]
        rows = [(_words(pair["note"]), _words(pair["other"])) for pair in pairs]
        yield from section(heading, rows)
    twice = [
        (_words(note), f"{note['times']} times") for note in doc["told_twice"]
    ]
    yield from section("told more than once", twice)
    yield from section("in dispute", [("", each) for each in doc["disputed"]])
    faults = [*doc["refused"], *doc["passed_over"], *doc["unread"]]
    rows = [(each["origin"], each["reason"]) for each in faults]
    yield from section("not read", rows)


def _words(note: Doc) -> str:
    day = f" ({note['told'][:10]})" if note["told"] else ""
    lines = note["text"].splitlines()
    told = [line for line in lines if not line.startswith("# ")]
    return " ".join(" ".join(told or lines).split()) + day
