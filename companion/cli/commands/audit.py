"""`companion audit`: test whether answers need a page, by asking with it and without it."""

from collections import Counter
from collections.abc import Iterator, Sequence

from companion.cli.format import (
    Doc,
    at,
    called_statement,
    judges_asked,
    name_of,
    reason_of,
    section,
    some,
)
from companion.cli.lines import Aside, Field, Title
from companion.cli.output import Ui
from companion.cli.spec import DRY_RUN, EXPLAIN, MAX_CALLS, Command, Option
from companion.values.wording import many

SPEC = Command(
    help="Test whether answers need a page, and record it.\n\n"
    "Asks the questions of the past once more, with the page and without it, and compares "
    "the answers; nobody else notices. It tests the pages on which most depends, those that "
    "are queued, and those that are decaying, each once a month. It only records what it "
    "found: `companion settle` acts on it.",
    options=(
        Option(
            "top",
            ("--top",),
            "Audit this many pages, those with the most gravity first.",
            "count",
            default=10,
            metavar="N",
        ),
        Option(
            "entry",
            ("--entry",),
            "Audit this page only, even if it was audited lately.",
            metavar="TARGET",
        ),
        MAX_CALLS,
        EXPLAIN,
        DRY_RUN,
    ),
)


def run(
    ui: Ui,
    *,
    top: int,
    entry: str | None,
    max_calls: int | None,
    explain: bool,
    dry_run: bool,
) -> int:
    """Audit pages and print what each audit found."""
    from companion.operations.audit.run import audit
    from companion.values.allowance import Allowance
    from companion.workspace import open_workspace

    with ui.progress("auditing pages") as progress:
        doc = audit(
            open_workspace(ui.wiki),
            top=top,
            entries=[] if entry is None else [entry],
            dry_run=dry_run,
            progress=progress,
            announce=ui.hint,
            allowance=Allowance(max_calls),
        )
    ui.result(doc, text(doc, explain=explain))
    if dry_run and doc["judged"]:
        ui.hint("Dry run: nothing was recorded but the model's answers.")
    elif dry_run:
        ui.hint("Dry run: nothing was recorded.")
    elif any(audited["result"] for audited in doc["audited"]):
        ui.hint("`companion settle` acts on these audits.")
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Yield what each audit found; with *explain* also what was asked and what it showed."""
    for number, audited in enumerate(doc["audited"]):
        if number and explain:
            yield ""
        yield from _finding(audited, explain=explain)
        if explain:
            yield from _suspended(audited)
            yield from _asked(audited["questions"])
            yield from _judged(audited["questions"])
            yield from _matters(audited)
        for statement in audited["statements"]:
            yield from _statement(statement, explain=explain)
    yield from _rest(doc, explain=explain)


def _finding(audited: Doc, *, explain: bool) -> Iterator[str]:
    result = audited["result"] or "inconclusive"
    yield Title(f"{audited['title'] or audited['entry']}  ({result})")
    yield Aside(f"  {audited['path']}")
    yield f"  {reason_of(audited['reason'], explain=explain)}"
    if audited["outcome"]:
        outcome = f"{audited['outcome']}: " if explain else ""
        follows = reason_of(audited["follows"] or "", explain=explain)
        yield _field("follows", outcome + follows)


def _statement(audited: Doc, *, explain: bool) -> Iterator[str]:
    """Yield what was found of one note on the page; without *explain* only if anything was."""
    if audited["result"] is None and not explain:
        return
    result = audited["result"] or "inconclusive"
    yield f"  {called_statement(audited['statement'])}  ({result})"
    reason = reason_of(audited["reason"], explain=explain)
    follows = audited["follows"] or ""
    yield f"    {reason} {follows}".rstrip()
    if explain:
        yield from _asked(audited["questions"])
        yield from _matters(audited)


def _suspended(audited: Doc) -> Iterator[str]:
    lighter = ""
    if audited["lighter"]:
        pages = many(audited["lighter"], "entry")
        lighter = f"; {pages} weighed less without it"
    yield _field("chosen", f"because {audited['why']}{lighter}")


def _asked(questions: Sequence[Doc]) -> Iterator[str]:
    yield _field("asked", _kinds_of(questions))
    moved = [question for question in questions if question["change"]]
    moved.sort(key=lambda question: (question["change"], question["words"]))
    yield from some(f"    {_change(question)}" for question in moved)
    still = sum(
        question["tested"] and not question["change"] for question in questions
    )
    if still:
        concerned = many(still, "question")
        yield f"    same answer without it: {concerned} that it has a part in"


def _kinds_of(questions: Sequence[Doc]) -> str:
    """Return how many questions of which kind were asked."""
    if not questions:
        return "no question concerns it"
    kinds = Counter(question["kind"] for question in questions)
    counted = [f"{count} {kind}" for kind, count in sorted(kinds.items())]
    groups = {(question["kind"], question["group"]) for question in questions}
    once = many(len(groups), "question")
    return f"{', '.join(counted)}; {once} where the same counts once"


def _change(question: Doc) -> str:
    way = "better" if question["change"] > 0 else "worse"
    place = f", it stood at {question['place']}" if question["place"] else ""
    words = " ".join(question["words"].split())
    return (
        f"{way:<6} {abs(question['change']):.2f}  "
        f"“{words}” ({question['kind']}{place})"
    )


def _judged(questions: Sequence[Doc]) -> Iterator[str]:
    """Yield each question that a model judged: only who asked it knows whether the model is
    right.
    """
    judged = [question for question in questions if question["judged"]]
    if not judged:
        return
    asked = many(len(judged), "question")
    yield _field(
        "judged",
        f"{asked} without feedback, by a model that saw the answers in either order",
    )
    judged.sort(key=_rank_of_preference)
    yield from some(f"    {_preferred(question)}" for question in judged)


def _rank_of_preference(question: Doc) -> tuple[str, float, str]:
    judged = question["judged"]
    better = _BETTER[judged["better"]]
    return better, -judged["confidence"], question["words"]


def _preferred(question: Doc) -> str:
    judged = question["judged"]
    why = f"by {judged['basis']}"
    if judged["basis"] == "order":
        why = "it depends on which comes first"
    if question["kind"] == "held out":
        why += ", held out"
    words = " ".join(question["words"].split())
    sure = f"{judged['confidence']:.2f} sure"
    return f"{_BETTER[judged['better']]:<17} {sure}  “{words}” ({why})"


_BETTER = {
    "without": "better without it",
    "with": "better with it",
    "same": "no better",
}


def _matters(audited: Doc) -> Iterator[str]:
    for matter in audited["matters"]:
        key = matter["key"]
        if matter["kind"] == "needed":
            yield _field("needed", f"{key}: only this page says it")
        if matter["kind"] == "contradicted":
            voices = many(matter["voices"], "source")
            yield _field("disputed", f"{key}: {voices} say otherwise")


def _rest(doc: Doc, *, explain: bool) -> Iterator[str]:
    rows = [
        (
            name_of({"id": skipped["entry"], **skipped}),
            f"again from {at(skipped['next'])}",
        )
        for skipped in doc["skipped"]
    ]
    yield from section("audited lately", rows)
    for judged in judges_asked(doc, explain=explain):
        yield Field("judged", judged, width=9)
    nothing = "" if doc["audited"] else "no page is due to be audited"
    yield from ending_with_run(doc, nothing)


def ending_with_run(doc: Doc, nothing: str) -> Iterator[str]:
    """Yield the notes of an operation, and its run, or *nothing* where it made none."""
    yield from (Field("note", note, width=9) for note in doc["notes"])
    if doc["commit"]:
        run = f"{doc['run']} ({doc['commit'][:8]})"
        yield Field("run", run, width=9)
    elif not doc["dry_run"] and nothing:
        yield nothing


def _field(label: str, words: str) -> str:
    return Field(label, words, width=9, indent=2)
