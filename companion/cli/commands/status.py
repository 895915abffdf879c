"""`companion status`: what is here, what waits, what is on this machine only."""

from collections.abc import Iterator

from companion.cli.format import Doc, short, when
from companion.cli.options import READER
from companion.cli.output import Ui
from companion.cli.spec import Command
from companion.values.wording import many

SPEC = Command(
    help="What is here, what waits, what is on this machine only.",
    options=(READER,),
    hot=True,
)


def run(ui: Ui, *, agent: str | None) -> int:
    from companion.reading.status import describe_wiki
    from companion.workspace import open_workspace

    doc = describe_wiki(open_workspace(ui.wiki, agent))
    ui.result(doc, text(doc))
    if doc["held"]:
        ui.hint(
            "`git merge` of its ref brings a run back; `companion consolidate --held` makes pages of them anew."
        )
    if doc["pending"] > doc["waiting"]:
        ui.hint("`companion consolidate` turns what is pending into pages.")
    return 0


def text(doc: Doc) -> Iterator[str]:
    states = ", ".join(
        f"{number:,} {state}"
        for state, number in doc["entries"].items()
        if number
    )
    yield f"wiki      {doc['wiki']}"
    yield f"branch    {doc['branch']}" + (
        f" at {short(doc['head'])}" if doc["head"] else ""
    )
    aside = (
        f", {doc['set_aside']:,} set aside (searchable, never judged)"
        if doc["set_aside"]
        else ""
    )
    yield f"entries   {states or 'none yet'}{aside}"
    if doc["gravity"]:
        weighed = doc["gravity"]
        yield (
            f"gravity   floor {weighed['floor']:.2f} ({weighed['rule']}), {weighed['protected']:,} protected, "
            f"as of {weighed['as_of'] or 'the first commit'}"
        )
    yield from counted(doc.get("fading"))
    yield from standing(doc["branches"])
    # A clone's ledger may speak of captures that only another machine has.
    held = min(doc["waiting"], doc["pending"])
    waiting = (
        f", {held:,} of them held back (`companion why ID` says why)"
        if held
        else ""
    )
    yield f"pending   {doc['pending']:,}{waiting}"
    for item in doc["held"]:
        yield f"held      {many(item['captures'], 'capture')} of {item['run']}, which left the branch ({item['ref']})"
    yield f"runs      {doc['runs']:,}" + (
        f", the last: {_last(doc['last_run'])}" if doc["last_run"] else ""
    )
    yield f"state     {doc['state']['folder']} ({doc['state']['why']})"
    yield f"reasoner  {doc['reasoner']}"
    if doc["to_review"]:
        yield f"to review {many(doc['to_review'], 'question')} (`companion review`)"
    yield from _unfolded(doc["usage"]["waiting"])
    if doc["to_audit"]:
        yield f"to audit  {many(doc['to_audit'], 'entry')} (`companion review`)"
    if doc["audits"]["last"]:
        waits = (
            f", {many(doc['audits']['to_settle'], 'record')} to settle"
            if doc["audits"]["to_settle"]
            else ""
        )
        yield f"audited   {many(doc['audits']['entries'], 'entry')}, the last {when(doc['audits']['last'])}{waits}"
    yield f"only here {', '.join(_only_here(**doc['only_here'])) or 'nothing'}"
    yield f"leaves    {', '.join(map(str, doc['leaves_machine'])) or 'nothing leaves this machine'}"
    yield from (f"note      {note}" for note in doc["notes"])


def standing(doc: Doc) -> Iterator[str]:
    """Say how many branches are open, and how far the nearest is from winning."""
    near = doc["nearest"]
    if doc["open"]:
        far = ""
        if near and near["threshold"]:
            share = near["pressure"] / near["threshold"]
            numbers = f"{near['pressure']:.2f} of {near['threshold']:.2f} ({share:.0%})"
            far = f"; nearest: against “{near['against']}”, {numbers}"
        yield f"branches  {doc['open']:,} open{far} (`companion branches`)"


def counted(fading: Doc | None) -> Iterator[str]:
    """Yield how far forgetting has come, for `status`."""
    if fading is not None and any(fading.values()):
        parts = [
            f"{fading[name]:,} {name}"
            for name in ("compressed", "pinned")
            if fading[name]
        ]
        if fading["cold"]:
            parts.append(f"{many(fading['cold'], 'full text')} in cold memory")
        yield f"fading    {', '.join(parts)}"


def _only_here(
    captures_not_in_git: int,
    captures_on_no_remote: int,
    commits_on_no_remote: int | None,
    refs: list[str],
) -> Iterator[str]:
    if commits_on_no_remote is None:
        yield "all of it, for there is no remote"
    if captures_not_in_git:
        yield f"{many(captures_not_in_git, 'capture')} not in git yet"
    if captures_on_no_remote > captures_not_in_git:
        yield f"{many(captures_on_no_remote, 'capture')} on no remote"
    if commits_on_no_remote:
        yield f"{many(commits_on_no_remote, 'commit')} on no remote"
    if refs:
        yield f"{', '.join(refs)} (a plain git push leaves {'it' if len(refs) == 1 else 'them'} behind)"


def _last(run: Doc) -> str:
    return f"{run['operation']} {when(run['time'])}"


def _unfolded(reads: int) -> Iterator[str]:
    if reads:
        yield f"use       {many(reads, 'read')} since the last run that took them on record"
