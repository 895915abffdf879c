"""`companion morning`, or `companion` alone: what waits, and what the last night did."""

from collections.abc import Iterator

from companion.cli.commands.status import only_here
from companion.cli.format import (
    Doc,
    day_name,
    describe_missed,
    describe_night,
    local,
    name_night,
)
from companion.cli.lines import Field, Title
from companion.cli.output import Ui
from companion.cli.spec import Command
from companion.values.wording import many

SPEC = Command(
    help="Tell what the last night did and what waits, in ten lines.\n\n"
    "`companion` without a command does the same inside a wiki.",
    hot=True,
)


def run(ui: Ui) -> int:
    """Print the morning."""
    from companion.reading.morning.collect import collect_morning
    from companion.workspace import open_workspace

    doc = collect_morning(open_workspace(ui.wiki))
    ui.result(doc, text(doc))
    return 0


def text(doc: Doc) -> Iterator[str]:
    """Yield at most ten lines."""
    name = doc["wiki"].rstrip("/").rpartition("/")[2]
    now = local(doc["now"])
    yield Title(f"{name} · {day_name(now)}, {now[11:]}")
    night = doc["last_night"]
    yield _line(name_night(night), describe_night(night, now))
    yield _line("waiting", _waiting(doc["waiting"]))
    left = _left(doc["left_for_you"], doc["waiting"]["sources"])
    if left:
        yield _line("for you", left)
    if doc["missed"]:
        yield _line("missed", _missed(doc["missed"]))
    elif doc["waits"]:
        yield _line("awake", doc["waits"])
    yield _line("only here", only_here(**doc["only_here"]))
    for note in doc["notes"][:2]:
        yield _line("note", note)
    for step in doc["next"]:
        yield _line("try", f"`{step['command']}` {step['why']}")


def _line(label: str, words: str) -> str:
    return Field(label, words, width=10, gap=1)


def _waiting(waiting: Doc) -> str:
    parts = []
    free = waiting["captures"] - waiting["held_back"]
    if free:
        parts.append(many(free, "note"))
    if waiting["sources"]["pending"]:
        parts.append(many(waiting["sources"]["pending"], "source"))
    words = "nothing"
    if parts:
        words = f"{' and '.join(parts)}, for the next night"
    if waiting["held_back"]:
        held = many(waiting["held_back"], "note")
        words += f"; {held} held back (`companion why ID` says why)"
    return words


def _left(left: Doc, sources: Doc) -> str:
    parts = []
    if left["questions"]:
        questions = many(left["questions"], "question")
        parts.append(f"{questions} (`companion review`)")
    if left["to_settle"]:
        parts.append(f"{many(left['to_settle'], 'audit')} to settle")
    if sources["locked"]:
        parts.append(f"{many(sources['locked'], 'source')} with a secret")
    if sources["unread"]:
        parts.append(f"{many(sources['unread'], 'source')} it cannot read")
    if left["runs_that_left"]:
        runs = many(left["runs_that_left"], "run")
        parts.append(f"notes of {runs} that left the branch")
    return ", ".join(parts)


def _missed(missed: list[Doc]) -> str:
    """Return the latest nights that were missed, and how often there were others before."""
    words = describe_missed(missed[-1])
    if len(missed) > 1:
        words += " It missed others in the last week, too (`companion status`)."
    return words
