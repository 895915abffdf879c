"""`companion audit`: test what most rests on: suspend it, ask again, and record what that changes."""

from collections.abc import Iterator

from companion.cli.format import Doc, name_of, section, some, when
from companion.cli.options import DRY_RUN
from companion.cli.output import Title, Ui
from companion.cli.spec import Command, Option
from companion.values.wording import many

SPEC = Command(
    help="Test what most rests on: suspend it, ask again, and record what that changes.\n\n"
    "Suspends one entry after the other, for nobody but itself, and asks what was asked before, with it and "
    "without it. Looks at the heaviest entries, at what is queued, and at what is decaying, each once a month. "
    "Records what it found and changes nothing else: `companion settle` does what follows.",
    options=(
        Option(
            "top",
            ("--top",),
            "So many entries, by gravity.",
            "count",
            default=10,
            metavar="N",
        ),
        Option(
            "entry",
            ("--entry",),
            "This entry only, however lately it was audited.",
            metavar="TARGET",
        ),
        Option(
            "explain",
            ("--explain",),
            "Tell each audit as a report.",
            "flag",
            False,
        ),
        DRY_RUN,
    ),
)


def run(
    ui: Ui, *, top: int, entry: str | None, explain: bool, dry_run: bool
) -> int:
    from companion.operations.audit import run as auditing
    from companion.workspace import open_workspace

    with ui.progress("suspending entries") as progress:
        entries = [] if entry is None else [entry]
        doc = auditing.audit(
            open_workspace(ui.wiki),
            top=top,
            entries=entries,
            dry_run=dry_run,
            progress=progress,
            announce=ui.hint,
        )
    ui.result(doc, text(doc, explain=explain))
    if dry_run:
        kept = ", but what the model said is kept" if doc["judged"] else ""
        ui.hint(f"that was a dry run: nothing was recorded{kept}.")
    elif any(each["result"] for each in doc["audited"]):
        ui.hint(
            "`companion settle` does what follows; until then nothing has changed but the record."
        )
    return 0


def text(doc: Doc, *, explain: bool = False) -> Iterator[str]:
    """Say what each audit found; with *explain* as a report of what was asked and what it showed."""
    if explain:
        yield from _report(doc)
        return
    for each in doc["audited"]:
        yield from _found(each)
    yield from _rest(doc)


def _report(doc: Doc) -> Iterator[str]:
    for number, each in enumerate(doc["audited"]):
        if number:
            yield ""
        yield from _found(each, explain=True)
        lighter = (
            f"; {many(each['lighter'], 'entry')} weighed less without it"
            if each["lighter"]
            else ""
        )
        yield f"  suspended  in this process only, because {each['why']}{lighter}"
        yield from _asked(each)
        yield from _judged(each)
        yield from _matters(each)
    yield from _rest(doc)


_WHICH = {
    "without": "better without it",
    "with": "better with it",
    "same": "no better",
}


def _found(each: Doc, *, explain: bool = False) -> Iterator[str]:
    yield Title(
        f"{each['title'] or each['entry']}  ({each['result'] or 'inconclusive'})"
    )
    yield f"  {each['path']}"
    yield f"  {each['reason'] if explain else each['reason'].partition(' (')[0]}"
    if each["outcome"]:
        yield f"  follows    {each['outcome']}: {each['follows']}"


def _asked(each: Doc) -> Iterator[str]:
    kinds: dict[str, int] = {}
    for question in each["questions"]:
        kinds[question["kind"]] = kinds.get(question["kind"], 0) + 1
    told = (
        ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
        or "nothing that touched it"
    )
    groups = len(
        {
            (question["kind"], question["group"])
            for question in each["questions"]
        }
    )
    yield f"  asked      {told}" + (
        f"; {many(groups, 'question')} where the same counts once"
        if groups
        else ""
    )
    moved = [q for q in each["questions"] if q["change"]]
    yield from some(
        f"    {_change(q)}"
        for q in sorted(moved, key=lambda q: (q["change"], q["words"]))
    )
    still = sum(q["tested"] and not q["change"] for q in each["questions"])
    if still:
        yield f"    unmoved    {many(still, 'question')} in which it had a part"


def _change(question: Doc) -> str:
    way = "better" if question["change"] > 0 else "worse"
    place = f", it stood at {question['place']}" if question["place"] else ""
    return f"{way:<6} {abs(question['change']):.2f}  “{' '.join(question['words'].split())}” ({question['kind']}{place})"


def _judged(each: Doc) -> Iterator[str]:
    """Tell each judged question: nobody knows better than who asked it whether the model was
    right.
    """
    asked = [question for question in each["questions"] if question["judged"]]
    if asked:
        yield f"  judged     {many(len(asked), 'question')} of which nobody said anything, with either answer first"
    asked.sort(
        key=lambda q: (
            _WHICH[q["judged"]["better"]],
            -q["judged"]["confidence"],
            q["words"],
        )
    )
    yield from some(f"    {_preferred(question)}" for question in asked)


def _preferred(question: Doc) -> str:
    said, held = (
        question["judged"],
        ", held out" if question["kind"] == "held out" else "",
    )
    why = (
        "it depends on which comes first"
        if said["basis"] == "order"
        else f"by {said['basis']}"
    )
    words = " ".join(question["words"].split())
    return f"{_WHICH[said['better']]:<17} {said['confidence']:.2f} sure  “{words}” ({why}{held})"


def _matters(each: Doc) -> Iterator[str]:
    for matter in each["matters"]:
        if matter["kind"] == "needed":
            yield f"  needed     {matter['key']}: nobody else tells it, and something rests on it"
        if matter["kind"] == "contradicted":
            yield f"  disputed   {matter['key']}: {many(matter['voices'], 'voice')} say otherwise"


def _rest(doc: Doc) -> Iterator[str]:
    rows = (
        (
            name_of({"id": each["entry"], **each}),
            f"again from {when(each['next'])}",
        )
        for each in doc["skipped"]
    )
    yield from section("audited lately", rows)
    yield from (f"judged     {tally['said']}" for tally in doc["judged"])
    yield from _ending(
        doc, "nothing is due to be audited" if not doc["audited"] else ""
    )


def _ending(doc: Doc, nothing: str) -> Iterator[str]:
    yield from (f"note       {note}" for note in doc["notes"])
    if doc["commit"]:
        yield f"run        {doc['run']} ({doc['commit'][:8]})"
    elif not doc["dry_run"] and nothing:
        yield nothing
