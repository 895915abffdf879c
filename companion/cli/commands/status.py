"""`companion status`: what is here, what waits, what is on this machine only."""

from collections.abc import Iterator

from companion.cli.format import (
    Doc,
    at,
    describe_missed,
    describe_night,
    local,
    name_night,
    short,
)
from companion.cli.lines import Field
from companion.cli.output import Ui
from companion.cli.spec import EXPLAIN, READER, Command
from companion.values.wording import many

SPEC = Command(
    help="Show what is here, what waits, what is only here.",
    options=(EXPLAIN, READER),
    hot=True,
)


def run(ui: Ui, *, explain: bool, agent: str | None) -> int:
    """Print how the wiki stands, and what to do next."""
    from companion.reading.status import describe_wiki
    from companion.workspace import open_workspace

    ws = open_workspace(ui.wiki, agent)
    doc = describe_wiki(ws)
    ui.result(doc, text(doc, explain=explain, now=local(ws.now())))
    if doc["held"]:
        ui.hint(
            "`git merge` of its ref brings a run back; `companion consolidate --held` makes pages "
            "of its notes anew."
        )
    if doc["pending"] > doc["waiting"]:
        ui.hint("`companion consolidate` turns what is pending into pages.")
    return 0


def text(doc: Doc, *, explain: bool = False, now: str = "") -> Iterator[str]:
    """Yield a labelled line for each subject; with *explain* also numbers and rules.

    With *now*, a local time, it says how long ago the last night was.
    """
    yield from _place(doc)
    yield from _entries(doc, explain=explain)
    yield from counted(doc.get("fading"))
    yield from standing(doc["branches"], explain=explain)
    yield from _captures(doc)
    yield from _runs(doc, now, explain=explain)
    yield from _questions(doc)
    yield _line("only here", only_here(**doc["only_here"]))
    leaves = ", ".join(map(str, doc["leaves_machine"]))
    yield _line("leaves", leaves or "nothing leaves this machine")
    for note in doc["notes"]:
        yield _line("note", note)


def _line(label: str, words: str) -> str:
    return Field(label, words, width=9, gap=1)


def _place(doc: Doc) -> Iterator[str]:
    yield _line("wiki", doc["wiki"])
    commit = f" at {short(doc['head'])}" if doc["head"] else ""
    yield _line("branch", doc["branch"] + commit)


def _entries(doc: Doc, *, explain: bool) -> Iterator[str]:
    parts = [
        f"{number:,} {state}"
        for state, number in doc["entries"].items()
        if number
    ]
    states = ", ".join(parts) or "none yet"
    if doc["set_aside"]:
        states += f", {doc['set_aside']:,} set aside (searchable, never judged)"
    yield _line("entries", states)
    yield from _notes(doc["notes_on_pages"])
    gravity = doc["gravity"]
    if not gravity:
        return
    protected = f"{gravity['protected']:,} that others depend on"
    if explain:
        as_of = gravity["as_of"] or "the first commit"
        protected += f"; gravity floor {gravity['floor']:.2f} ({gravity['rule']}), as of {as_of}"
    if gravity["protected"] or explain:
        yield _line("protected", protected)


def _notes(counts: Doc) -> Iterator[str]:
    """Yield how many notes stand on pages, and how many of them wait for a subject on a day."""
    if not counts["notes"]:
        return
    parts = [f"{counts['notes']:,} on pages"]
    if counts["on_days"]:
        parts.append(f"{counts['on_days']:,} of them on pages of days")
    if counts["lost"]:
        parts.append(f"{counts['lost']:,} no longer hold")
    yield _line("notes", ", ".join(parts))


def _captures(doc: Doc) -> Iterator[str]:
    # A clone's ledger may speak of captures that only another machine has.
    held = min(doc["waiting"], doc["pending"])
    waiting = ""
    if held:
        waiting = f", {held:,} of them held back (`companion why ID` says why)"
    yield _line("pending", f"{doc['pending']:,}{waiting}")
    yield from _sources(doc["sources"])
    for item in doc["held"]:
        captures = many(item["captures"], "capture")
        run = f"{item['run']}, which left the branch ({item['ref']})"
        yield _line("held", f"{captures} of {run}")


def _sources(sources: Doc) -> Iterator[str]:
    """Yield how many originals wait, and why the others do not become pages."""
    parts = []
    if sources["pending"]:
        parts.append(f"{sources['pending']:,} to be read by the next night")
    if sources["unread"]:
        parts.append(f"{sources['unread']:,} that it cannot read")
    if sources["locked"]:
        parts.append(f"{sources['locked']:,} with a secret")
    if parts:
        yield _line("sources", ", ".join(parts))


def _runs(doc: Doc, now: str, *, explain: bool) -> Iterator[str]:
    last = doc["last_run"]
    latest = ""
    if last:
        latest = f", the last: {last['operation']} {at(last['time'])}"
    yield _line("runs", f"{doc['runs']:,}{latest}")
    if explain:
        state = doc["state"]
        yield _line("state", f"{state['folder']} ({state['why']})")
    yield from _nights(doc["nights"], now)
    yield _line("reasoner", doc["reasoner"])


def _nights(nights: Doc, now: str) -> Iterator[str]:
    """Yield what the last night did, why there is none now, and which were missed."""
    last = nights["last"]
    if last is not None:
        label = name_night(last).replace("last ", "")
        yield _line(label, describe_night(last, now, dated=True))
    if nights["waits"]:
        yield _line("awake", nights["waits"])
    for missed in nights["missed"]:
        yield _line("missed", describe_missed(missed))


def _questions(doc: Doc) -> Iterator[str]:
    """Yield what waits for an answer, a run, an audit or a settlement."""
    if doc["to_review"]:
        questions = many(doc["to_review"], "question")
        yield _line("to review", f"{questions} (`companion review`)")
    reads = doc["usage"]["waiting"]
    if reads:
        yield _line(
            "use", f"{many(reads, 'read')} that the next run will record"
        )
    if doc["to_audit"]:
        entries = many(doc["to_audit"], "entry")
        yield _line("to audit", f"{entries} (`companion review`)")
    audits = doc["audits"]
    if audits["last"]:
        waits = ""
        if audits["to_settle"]:
            waits = f", {audits['to_settle']:,} to settle (`companion settle`)"
        entries = many(audits["entries"], "entry")
        yield _line(
            "audited", f"{entries}, the last {at(audits['last'])}{waits}"
        )


def standing(doc: Doc, *, explain: bool) -> Iterator[str]:
    """Yield how many branches are open, and how near the nearest is to winning."""
    if not doc["open"]:
        return
    nearest = ""
    near = doc["nearest"]
    if near and near["threshold"]:
        share = near["pressure"] / near["threshold"]
        nearest = (
            f"; the nearest, against “{near['against']}”, is at {share:.0%}"
        )
        if explain:
            nearest += f" ({near['pressure']:.2f} of {near['threshold']:.2f})"
    yield _line(
        "branches", f"{doc['open']:,} open{nearest} (`companion branches`)"
    )


def counted(fading: Doc | None) -> Iterator[str]:
    """Yield how many pages are compressed or pinned, and how many full texts are kept."""
    if fading is None or not any(fading.values()):
        return
    parts = [
        f"{fading[name]:,} {name}"
        for name in ("compressed", "pinned")
        if fading[name]
    ]
    if fading["cold"]:
        parts.append(f"{many(fading['cold'], 'full text')} in cold memory")
    yield _line("fading", ", ".join(parts))


def only_here(
    captures_not_in_git: int,
    captures_on_no_remote: int,
    commits_on_no_remote: int | None,
    refs: list[str],
    originals_on_no_remote: int,
) -> str:
    """Return what no other machine has."""
    parts = []
    if commits_on_no_remote is None:
        parts.append("everything, because there is no git remote")
    if captures_not_in_git:
        parts.append(f"{many(captures_not_in_git, 'note')} not in git yet")
    if commits_on_no_remote is None:
        return "; ".join(parts)
    if captures_on_no_remote > captures_not_in_git:
        parts.append(f"{many(captures_on_no_remote, 'note')} on no remote")
    if commits_on_no_remote:
        parts.append(f"{many(commits_on_no_remote, 'commit')} on no remote")
    if originals_on_no_remote:
        parts.append(f"{many(originals_on_no_remote, 'source')} on no remote")
    if refs:
        them = "it" if len(refs) == 1 else "them"
        names = ", ".join(refs)
        parts.append(f"{names} (a plain git push leaves {them} behind)")
    return ", ".join(parts) or "nothing"
