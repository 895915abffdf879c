"""The verbs: each makes one app call and prints what came back.

Shared by the fast lane and Typer, so nothing here is imported before a verb needs it. Every
function takes the `Ui` and its arguments as `companion.cli.fast_lane` names them, and returns the
exit code.
"""

import sys
from typing import TYPE_CHECKING, Any

from companion.cli import render
from companion.cli.output import Title, Ui
from companion.errors import CompanionError
from companion.values.refusals import PASSED_OVER

if TYPE_CHECKING:
    from companion.values.captures import Draft
    from companion.workspace import Workspace

NOTHING_FOUND = 1
BAD_DATA = 65


class Usage(CompanionError):
    """This command line cannot be understood."""

    exit_code = 2
    hint = "See `companion --help`."


def init(ui: Ui, *, directory: str | None, dry_run: bool) -> int:
    from companion.maintenance import init as care

    where = directory if directory is not None else ui.wiki or "."
    with ui.progress("adopting pages") as progress:
        doc = care.init(where, dry_run=dry_run, progress=progress)
    ui.result(doc, render.init)
    if not dry_run:
        ui.hint(
            '`companion ingest "a thought"` captures one; `companion consolidate` makes pages of them.'
        )
    return 0


def ingest(
    ui: Ui, *, what: list[str], lines: bool, jsonl: str | None, title: str | None, **said: Any
) -> int:
    options = _door(said)
    from companion.operations.triage import arguments, capture

    defaults = _draft(said, title=title)
    stdin = sys.stdin.buffer if sys.stdin is not None else None
    items = arguments.drafts(what, lines=lines, jsonl=jsonl, defaults=defaults, stdin=stdin)
    with ui.progress("captured") as progress:
        doc = capture.ingest(_wiki(ui), items, **options, progress=progress)
    ui.result(doc, render.ingest)
    # What a walk through a folder passes over (pictures, hidden files) was never asked for by name.
    faults = [item for item in doc["refused"] if item["kind"] not in PASSED_OVER]
    for hint in dict.fromkeys(item["hint"] for item in faults):
        ui.hint(hint)
    return BAD_DATA if faults else 0


def triage(ui: Ui, *, stream: str | None, **said: Any) -> int:
    if stream not in (None, "-"):
        raise Usage(
            "triage reads standard input only",
            hint="Write `companion triage - < FILE`, or use ingest.",
        )
    options = _door(said)
    refused = 0

    def acknowledge(ack: dict[str, Any]) -> None:
        nonlocal refused
        refused += ack["status"] == "refused"
        if ui.json:
            ui.document(ack, indent=None)
        else:
            ui.line(render.acknowledge(ack))
        # An acknowledgement in a buffer is none: whoever feeds the stream may be waiting for it.
        ui.flush()

    from companion.operations.triage import capture

    if sys.stdin is None:
        raise Usage("standard input is closed", hint="Pipe the lines in.")
    defaults = _draft(said, title=None, event_time=None)
    capture.triage_stream(_wiki(ui), sys.stdin.buffer, defaults, acknowledge=acknowledge, **options)
    return BAD_DATA if refused else 0


def consolidate(ui: Ui, *, dry_run: bool, max_calls: int | None, held: bool) -> int:
    from companion.operations.consolidate import run as night

    with ui.progress("consolidating") as progress:
        doc = night.consolidate(
            _wiki(ui),
            dry_run=dry_run,
            release=held,
            progress=progress,
            max_calls=max_calls,
            announce=ui.hint,
        )
    ui.result(doc, render.consolidate)
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    elif doc["left_out"]:
        ui.hint("`companion adopt` takes the pages you changed by hand into the wiki.")
    return 0


def adopt(ui: Ui, *, dry_run: bool) -> int:
    from companion.adoption import run as adopting

    with ui.progress("adopting pages") as progress:
        doc = adopting.adopt(_wiki(ui), dry_run=dry_run, progress=progress)
    ui.result(doc, render.adopt)
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    return 0


def undo(ui: Ui, *, run: str, dry_run: bool) -> int:
    from companion.adoption import undo as undoing

    doc = undoing.undo(_wiki(ui), run, dry_run=dry_run)
    ui.result(doc, render.undo)
    if dry_run:
        ui.hint("that was a dry run: nothing was changed.")
    elif doc["run"]:
        ui.hint(f"`companion undo {doc['run']}` takes this back in turn.")
    return 0


def erase(ui: Ui, *, words: list[str], match: str | None, confirm: str | None) -> int:
    from companion.maintenance.erase import run as erasing

    if match not in (None, "-"):
        raise Usage(
            "--match takes - only",
            hint="Words on the command line stay in your shell's history; - asks for them.",
        )
    targets = [*words, *([_unseen()] if match else [])]
    if not targets:
        raise Usage(
            "nothing to erase", hint="`companion erase --match -` asks for the words, unseen."
        )
    if words:
        ui.hint(
            "words on the command line stay in your shell's history; `--match -` asks for them, unseen."
        )
    wiki = _wiki(ui)
    doc = erasing.erase(wiki, targets, confirm=confirm)
    if confirm is None and not ui.json and _can_ask():
        ui.result(doc, render.erase)
        ui.flush()
        typed = _typed(f"Type {doc['confirm']} to erase all of it for good, or nothing: ")
        if not typed:
            return 0
        doc = erasing.erase(wiki, targets, confirm=typed)
    ui.result(doc, render.erase)
    if not doc["erased"]:
        ui.hint(
            f"nothing was changed. The same with `--confirm {doc['confirm']}` erases it; there is no way back."
        )
    return BAD_DATA if doc["remains"] else 0


def _can_ask() -> bool:
    return (
        sys.stdin is not None
        and sys.stdin.isatty()
        and sys.stderr is not None
        and sys.stderr.isatty()
    )


def _unseen() -> str:
    """Read words from a pipe, or from the person, who does not see them."""
    if sys.stdin is None:
        raise Usage("standard input is closed", hint="Pipe the words in.")
    if sys.stdin.isatty():
        from getpass import getpass

        return getpass("Words to erase (not shown): ")
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise Usage("the words are no UTF-8", hint="Give them as text.") from error


def _typed(prompt: str) -> str:
    sys.stderr.write(prompt)
    sys.stderr.flush()
    return sys.stdin.readline().strip()


def search(ui: Ui, *, query: list[str], limit: int, state: str | None, agent: str | None) -> int:
    from companion.lookup import index as reads
    from companion.usage.record_read import record_search

    ws = _wiki(ui, agent)
    doc = reads.search(ws, " ".join(query), limit=limit, state=state)
    ui.result(doc, render.search)
    _recorded(ui, record_search(ws, doc))
    if doc["results"]:
        return 0
    ui.hint(f"nothing found for: {doc['query']}")
    return NOTHING_FOUND


def claims(
    ui: Ui,
    *,
    about: list[str],
    as_of: str | None,
    known_at: str | None,
    history: bool,
    agent: str | None,
) -> int:
    if len(about) > 2:
        raise Usage(
            "claims takes a subject and a predicate",
            hint="Put names of several words in quotation marks.",
        )
    from companion.answers.claims import read_claims
    from companion.usage.record_read import record_claims

    subject, predicate = about[0], about[1] if len(about) > 1 else None
    ws = _wiki(ui, agent)
    doc = read_claims(ws, subject, predicate, as_of=as_of, known_at=known_at, history=history)
    ui.result(doc, render.claims)
    _recorded(ui, record_claims(ws, doc))
    return 0


def ask(
    ui: Ui, *, question: list[str], as_of: str | None, budget: int, phrase: bool, agent: str | None
) -> int:
    from companion.answers import ask as answers
    from companion.usage.record_read import record_ask

    ws = _wiki(ui, agent)
    doc = answers.ask(ws, " ".join(question), as_of=as_of, budget=budget)
    if phrase:
        from companion.answers.phrase import phrase_answer

        doc = phrase_answer(ws, doc)
    ui.result(doc, render.ask)
    _recorded(ui, record_ask(ws, doc))
    if phrase and doc["phrasing"]["reason"]:
        ui.warn({"warning": f"not phrased: {doc['phrasing']['reason']}"})
    if doc["known"]:
        return 0
    ui.hint("not known: nobody told it here; `companion search` finds more of what notes say.")
    return NOTHING_FOUND


def show(ui: Ui, *, target: list[str], raw: bool, agent: str | None) -> int:
    from companion.lookup import index as reads
    from companion.usage.record_read import record_show

    ws = _wiki(ui, agent)
    doc = reads.show(ws, " ".join(target))
    if raw and not ui.json:
        ui.verbatim(doc["text"])
        ui.warn(doc)
    else:
        ui.result(doc, render.show)
    _recorded(ui, record_show(ws, doc))
    return 0


def log(ui: Ui, *, limit: int) -> int:
    from companion.lookup import index as reads

    doc = reads.log(_wiki(ui), limit=limit)
    ui.result(doc, render.log)
    if not doc["runs"]:
        ui.hint("no run yet: `companion consolidate` is the first.")
    return 0


def why(ui: Ui, *, target: list[str], depends: bool, agent: str | None) -> int:
    if depends:
        from companion.ledger.dependents import find_dependents

        ui.result(find_dependents(_wiki(ui, agent), " ".join(target)), render.why)
        return 0
    from companion.lookup import index as reads

    ui.result(reads.why(_wiki(ui, agent), " ".join(target)), render.why)
    return 0


def status(ui: Ui, *, agent: str | None) -> int:
    from companion.lookup import index as reads

    doc = reads.status(_wiki(ui, agent))
    ui.result(doc, render.status)
    if doc["held"]:
        ui.hint(
            "`git merge` of its ref brings a run back; `companion consolidate --held` makes pages of them anew."
        )
    if doc["pending"] > doc["waiting"]:
        ui.hint("`companion consolidate` turns what is pending into pages.")
    return 0


def remote(ui: Ui, *, action: list[str], with_private: bool) -> int:
    from companion.maintenance import remote as remotes

    match action:
        case ["add", name, url]:
            doc = remotes.add(_wiki(ui), name, url, with_private=with_private)
            ui.result(doc, render.remote)
            ui.hint(
                f"nothing was sent yet: `companion remote sync {name}` does; `git push {name}` sends the pages."
            )
        case ["sync", *names] if len(names) <= 1 and not with_private:
            doc = remotes.sync(_wiki(ui), *names)
            ui.result(doc, render.remote)
            if doc["received"]["captures"]:
                ui.hint(
                    f"`git pull {doc['remote']}` before a night, or both machines make pages of the same notes."
                )
        case ["sync", *_] if with_private:
            raise Usage(
                "--with-private belongs to `remote add`", hint="Add the remote again, with it."
            )
        case _:
            raise Usage(
                "remote takes `add NAME URL` or `sync [NAME]`",
                hint="See `companion remote --help`.",
            )
    return 0


def branches(ui: Ui, *, action: list[str]) -> int:
    from companion.reading import branches as minority

    match action:
        case []:
            doc = minority.listing(_wiki(ui))
            ui.result(doc, render.branches)
            if not doc["branches"]:
                ui.hint("no branch: nothing contradicts what the wiki rests on.")
        case ["show", name]:
            ui.result(minority.show(_wiki(ui), name), render.branches)
        case ["diff", name]:
            ui.result(minority.diff(_wiki(ui), name), render.branches)
        case ["open", name]:
            ui.result(minority.checkout(_wiki(ui), name), render.branches)
            ui.hint(
                "the folder is yours: nothing in it reaches the wiki, and it may be removed at any time."
            )
        case _:
            raise Usage("branches takes nothing, or `show|diff|open NAME`")
    return 0


def quarantine(ui: Ui) -> int:
    from companion.reading import branches as minority

    doc = minority.quarantine(_wiki(ui))
    ui.result(doc, render.quarantine)
    if not doc["entries"] and not doc["extended"]:
        ui.hint("nothing is in quarantine.")
    return 0


def models(ui: Ui, *, action: list[str], dry_run: bool, max_calls: int | None) -> int:
    from companion.maintenance import switch_reasoner

    match action:
        case [] if not dry_run and max_calls is None:
            ui.result(switch_reasoner.listing(_wiki(ui)), render.models)
        case ["use", name]:
            with ui.progress("embedding pages") as progress:
                doc = switch_reasoner.use(
                    _wiki(ui), name, dry_run=dry_run, max_calls=max_calls, progress=progress
                )
            ui.result(doc, render.models)
            if doc["flagged"]:
                ui.hint("`companion review` shows what the new model contradicts.")
        case _:
            raise Usage("models takes nothing, or `use light|semantic[:MODEL]|llm:MODEL`")
    return 0


def review(ui: Ui, *, action: list[str], all: bool, agent: str | None) -> int:
    from companion.reading import review as questions

    match action:
        case []:
            doc = questions.listing(_wiki(ui), all=all)
            ui.result(doc, render.review)
            if not doc["items"]:
                ui.hint("nothing awaits an answer.")
        case ["show", id]:
            ui.result(questions.show(_wiki(ui), id), render.review)
        case ["accept" | "reject" | "merge" as choice, id]:
            _answered(ui, questions.answer(_wiki(ui, agent), id, choice, agent=agent))
        case ["prefer", id, "new" | "old" as side]:
            _answered(ui, questions.answer(_wiki(ui, agent), id, f"prefer-{side}", agent=agent))
        case ["prefer", id, claim]:
            _answered(ui, questions.prefer(_wiki(ui, agent), id, claim, agent=agent))
        case _:
            raise Usage(
                "review takes nothing, `show|accept|reject|merge ID`, or `prefer ID new|old|CLAIM`"
            )
    return 0


def _answered(ui: Ui, doc: dict[str, Any]) -> None:
    ui.result(doc, render.review)
    ui.hint("the next `companion consolidate` weighs the answer; until then you may give another.")


def export(ui: Ui, *, directory: str, with_private: bool) -> int:
    from companion.maintenance import export as exchange

    with ui.progress("exporting files") as progress:
        doc = exchange.export(_wiki(ui), directory, with_private=with_private, progress=progress)
    ui.result(doc, render.export)
    return 0


def import_(ui: Ui, *, directory: str) -> int:
    from companion import workspace
    from companion.maintenance import export as exchange

    with ui.progress("importing files") as progress:
        doc = exchange.import_(directory, workspace.wanted(ui.wiki), progress=progress)
    ui.result(doc, render.import_)
    return 0


def doctor(ui: Ui, *, repair: bool) -> int:
    from companion.maintenance.doctor import run as health

    doc = health.doctor(_wiki(ui), repair=repair)
    ui.result(doc, render.doctor)
    return 0 if doc["ok"] else BAD_DATA


def rebuild(ui: Ui) -> int:
    from companion.maintenance import init as care

    with ui.progress("folding runs") as progress:
        doc = care.rebuild(_wiki(ui), progress=progress)
    ui.result(doc, render.rebuild)
    return 0


def demo(ui: Ui, *, keep: str | None) -> int:
    from companion.maintenance import demo as story

    def say(text: str) -> None:
        if not ui.json:
            for line in text.split("\n"):
                ui.line(Title(line) if line.startswith("# ") else line)
            ui.flush()  # the story is watched while it happens

    ui.result(story.demo(keep, say), render.demo)
    return 0


def _recorded(ui: Ui, trouble: str | None) -> None:
    if trouble is not None:
        ui.hint(f"this read was not recorded: {trouble}")


def _wiki(ui: Ui, agent: str | None = None) -> "Workspace":
    from companion.workspace import open_workspace

    return open_workspace(ui.wiki, agent)


def _door(said: dict[str, Any]) -> dict[str, bool]:
    """Take the two ways past the secrets check out of *said*; they exclude each other."""
    door = {name: said.pop(name) for name in ("redact", "store_anyway")}
    if all(door.values()):
        raise Usage("--redact and --store-anyway exclude each other", hint="Choose one of the two.")
    return door


def _draft(said: dict[str, Any], **more: Any) -> "Draft":
    """Return what was said of every capture of this call; a channel not named is left to the
    reader.
    """
    from companion.values.captures import Draft
    from companion.values.refusals import BadName

    if said["agent"] is not None and not said["agent"].strip():
        # an unset variable of an assistant's script must not speak as the person
        raise BadName("`--agent` is empty")
    said = said | more
    return Draft(text="", **(said if said["channel"] else said | {"channel": Draft("").channel}))
