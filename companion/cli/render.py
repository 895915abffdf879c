"""What each verb says to a person: one document in, lines out.

The lines may hold any text of a note: `Ui` cleans every line on its way out, nothing here is
markup.
"""

from collections.abc import Iterator

from companion.cli.format import (
    MANY,
    Doc,
    commit_of,
    ending,
    short,
    some,
    state_of,
    titled,
    unfolded,
    used,
    when,
)
from companion.cli.format import name_of as _name
from companion.cli.format import section as _section
from companion.cli.output import Title
from companion.cli.render_audits import told as audited
from companion.cli.render_branches import branches as branches
from companion.cli.render_branches import decisions, shift, standing
from companion.cli.render_branches import quarantine as quarantine
from companion.cli.render_fading import counted, faded, vitality
from companion.values.refusals import PASSED_OVER
from companion.values.wording import many


def init(doc: Doc) -> Iterator[str]:
    yield Title(f"wiki    {doc['wiki']}")
    yield f"branch  {doc['branch']}"
    yield f"pages   {doc['pages']:,}"
    yield from _section("left out", ((item["path"], item["reason"]) for item in doc["left_out"]))
    yield from ending(doc, "")


def ingest(doc: Doc) -> Iterator[str]:
    captures, refused = doc["captures"], doc["refused"]
    if len(captures) <= MANY:
        for capture in captures:
            yield f"{capture['status']:<8}  {short(capture['id'])}  {capture['title'] or ''}".rstrip()
    faults = [item for item in refused if item["kind"] not in PASSED_OVER]
    yield from some(f"refused   {_at(item)}{item['reason']}" for item in faults)
    if len(captures) + len(refused) > 1:
        passed = len(refused) - len(faults)
        yield counts(doc["counts"] | {"refused": len(faults), "passed over (no notes)": passed})


def _at(item: Doc) -> str:
    return f"{item['origin']}: " if item["origin"] else ""


def acknowledge(ack: Doc) -> str:
    """Return the acknowledgement of one line of a stream."""
    return f"{ack['status']} {ack['reason'] if ack['status'] == 'refused' else ack['id']}"


def consolidate(doc: Doc) -> Iterator[str]:
    if doc["integrated"]:
        did = "would integrate" if doc.get("dry_run") else "integrated"
        yield Title(f"{did} {many(len(doc['integrated']), 'capture')}")
        yield from some(line for item in doc["integrated"] for line in _integrated(item))
    yield from decisions(doc.get("branches", ()), doc.get("dry_run", False))
    yield from _section(
        "waiting", ((short(item["capture"]), item["reason"]) for item in doc["waiting"])
    )
    yield from _section("left out", ((item["path"], item["reason"]) for item in doc["left_out"]))
    yield from _elsewhere(doc)
    yield from (f"judged    {tally['said']}" for tally in doc["judged"])
    yield from ending(doc, "nothing to consolidate")


def _elsewhere(doc: Doc) -> Iterator[str]:
    """Say what a night did beside integrating: a commit that no line explains would be a riddle."""
    again = doc["counts"].get("sighted", 0)
    if again:
        yield f"told again: {many(again, 'note')} already in the wiki"
    facts = doc["counts"].get("facts", 0)
    if facts:
        yield f"facts     brought up to date in {many(facts, 'page')}"
    used = doc["counts"].get("used", 0)
    if used and doc["commit"]:
        yield f"use       of {many(used, 'entry')} taken on record"
    if doc["commit"] and not (
        again or facts or used or doc["integrated"] or doc["waiting"] or doc.get("branches")
    ):
        yield "recorded what you committed yourself"


def _integrated(item: Doc) -> Iterator[str]:
    mark = (
        f"  ({'quarantined' if item['quarantined'] else item['bucket']})" if item["bucket"] else ""
    )
    yield f"  {short(item['capture'])} → {item['path']}  {item['title'] or ''}{mark}"
    yield f"{'':11}{item['reason']}"


def adopt(doc: Doc) -> Iterator[str]:
    for name in ("new", "edited", "renamed", "deleted"):
        yield from _section(name, (_change(item) for item in doc[name]))
    yield from _section("left out", ((item["path"], item["reason"]) for item in doc["left_out"]))
    yield from ending(doc, "no page was changed by hand")


def _change(item: Doc) -> tuple[str, str]:
    return (f"{item['from']} → {item['path']}" if item.get("from") else item["path"]), item.get(
        "reason", ""
    )


def undo(doc: Doc) -> Iterator[str]:
    yield Title(f"undo of {doc['undone']}")
    yield from _section("restored", ((path, "") for path in doc["restored"]))
    yield from _section("removed", ((path, "git keeps what it held") for path in doc["removed"]))
    yield from _section("left out", ((item["path"], item["reason"]) for item in doc["left_out"]))
    yield from ending(doc, "every page is as it was before that run already")


def erase(doc: Doc) -> Iterator[str]:
    marks = ", ".join(
        f"{item['mark']} ({many(item['characters'], 'character')})" for item in doc["words"]
    )
    yield Title(f"{'erased' if doc['erased'] else 'would erase'} → {marks}")
    yield from some(
        f"  {item['where']:<11}  {item['what']}{_times(item['count'])}" for item in doc["places"]
    )
    yield from _section("cannot be reached from here", ((item, "") for item in doc["beyond"]))
    yield from _section("still there", ((item["where"], item["what"]) for item in doc["remains"]))
    if doc["erased"] and not doc["remains"]:
        yield "every object and file was read again: the words are nowhere"
    yield from ending(doc, "")


def _times(count: int) -> str:
    return f"  ({count:,})" if count > 1 else ""


def search(doc: Doc) -> Iterator[str]:
    for each in doc["called"]:
        yield f"you call it {each['term']}: {each['title']}"
    for number, result in enumerate(doc["results"]):
        if number:
            yield ""
        yield Title(
            titled(result) + state_of(result["state"]) + "  (quarantined)" * result["quarantined"]
        )
        yield "  " + " · ".join(part for part in (result["path"], short(result["id"])) if part)
        yield from shift(result)
        snippet = " ".join(result["snippet"].split())
        if snippet not in ("", result["title"]):
            yield f"  {snippet}"


def claims(doc: Doc) -> Iterator[str]:
    for key in doc["keys"]:
        values = " / ".join(key["values"]) or "nothing now"
        yield Title(
            f"{key['subject']} · {key['predicate']}: {values}"
            + ("  (disputed)" if key["disputed"] else "")
        )
        yield from some(_claim(item) for item in key["claims"])
        for spell in key["history"] or ():
            so = " / ".join(spell["values"]) or "nothing"
            yield f"  {_from(spell['from'])} to {when(spell['to']) or 'now'}: {so}"
        yield from map(_night, key["resolved"] or ())


def _night(row: Doc) -> str:
    sides = (
        (word, row[side])
        for word, side in (("", "won"), ("over ", "lost"), ("disputed: ", "disputed"))
    )
    said = " ".join(
        word + " / ".join(_meant(each) for each in some) for word, some in sides if some
    )
    return f"  {when(row['at'])}  {row['status']} by {row['strategy']}: {said}  ({row['reason']})"


def _meant(claim: Doc) -> str:
    return claim["object"] or f"claim {claim['id']}"


def _claim(item: Doc) -> str:
    denied = "not " if item["negated"] else ""
    source = f" · {item['source']}" if item["source"] else ""
    source += " · private" if item["scope"] == "private" else ""
    since = f"since {_from(item['valid_from'])}" + (
        f", until {when(item['valid_to'])}" if item["valid_to"] else ""
    )
    words = f"  {item['status']:<10}  {denied}{item['object']}".rstrip()
    if item["read_as"]:
        source += f' · "{item["predicate"]}" read as "{item["read_as"]}"'
    return f"{words}  ({since}) · told {when(item['told_at'])}{source} · {short(item['capture'])}  {item['reason']}"


def _from(moment: str) -> str:
    return "unknown" if moment.startswith("0001-01-01") else when(moment)


def ask(doc: Doc) -> Iterator[str]:
    if not doc["known"]:
        yield Title(f"not known: {doc['question']}")
        yield from ("what notes say of it:" for _ in doc["passages"][:1])
        for each in doc["passages"]:
            yield f"  {each['title']}: {' '.join(each['text'].split())}  · {each['path'] or short(each['id'])}"
    if doc.get("phrased") and "phrasing" in doc:
        yield Title(doc["phrased"] + _beside(doc))
        yield f"  phrased by {doc['phrasing']['model']} from what was told:"
    for answer in doc["answers"]:
        yield Title(answer["value"] + ("  (disputed)" if answer["disputed"] else ""))
        for step in answer["path"]:
            told = ", ".join(
                dict.fromkeys(
                    f"{short(s['capture'])} {when(s['told_at'])}" for s in step["sources"]
                )
            )
            yield f"  {step['subject']} · {step['predicate']}: {step['object']}  · {told}"
    if doc["left_out"]:
        yield f"  … and {doc['left_out']:,} more beyond the budget"
    if doc["over_budget"]:
        yield f"  (about {doc['tokens']:,} tokens, the least that answers: the budget was {doc['budget']:,})"


def _beside(doc: Doc) -> str:
    """Return what a sentence of claims leaves out: that they dispute each other, and of which time
    they are.
    """
    disputed = any(answer["disputed"] for answer in doc["answers"])
    parts = ["disputed"] * disputed + ["what was so before"] * doc["earlier"]
    parts += [f"as of {when(doc['as_of'])}"] if doc["as_of"] else []
    return f"  ({'; '.join(parts)})" if parts else ""


def show(doc: Doc) -> Iterator[str]:
    yield Title(titled(doc) + state_of(doc["state"]))
    yield "  " + " · ".join(part for part in (doc["kind"], doc["path"], short(doc["id"])) if part)
    yield from _weight(doc)
    yield from used(doc)
    yield from faded(doc)
    yield from shift(doc)
    yield from (f"  {audited(record)}" for record in doc.get("audits", ()))
    for each in doc.get("rests_on", ()):
        yield f"  rests on what fell: {each['reason']}  (question {each['flag']})"
    yield ""
    yield from (line.rstrip("\r") for line in doc["text"].rstrip("\n").split("\n"))


def _weight(doc: Doc) -> Iterator[str]:
    weight = doc.get("weight")
    if weight is not None:
        yield f"  {weight['reason']}  (as of {weight['as_of'] or 'the first commit'})"


def log(doc: Doc) -> Iterator[str]:
    for run in doc["runs"]:
        said = run["summary"] or (counts(run["counts"]) if run["counts"] else "no pages")
        yield f"{when(run['time'])}  {run['operation']:<11}  {short(run['commit']) or '-':<8}  {said}"


def why(doc: Doc) -> Iterator[str]:
    if "rests" in doc:
        yield from _depends(doc)
        return
    title = doc["id"] if doc["kind"] == "run" else titled(doc)
    yield Title(f"{title}  ({doc['kind']})")
    yield from _weight(doc)
    yield from used(doc)
    yield from vitality(doc)
    told = None
    for event in doc["events"]:
        if (event["run"], event["time"]) != told:
            yield f"  {when(event['time'])}  {event['operation']:<11}  {event['run'] or ''}".rstrip()
        told = (event["run"], event["time"])
        yield f"    {event['event']:<10}  {_about(event, doc['id'])}{event['reason'] or ''}".rstrip()


def _depends(doc: Doc) -> Iterator[str]:
    yield Title(f"{doc['title'] or short(doc['id'])}  ({doc['kind']}): {doc['count']:,} on it")
    for each in doc["rests"]:
        yield f"  {each['kind']:<5}  {each['title'] or short(each['id'])}  {short(each['id'])}"
        if len(each["path"]) > 1:
            yield "         over " + ", ".join(
                step["title"] or short(step["id"]) for step in each["path"][:-1]
            )
        yield from (f"         {step['how']}" for step in each["path"][-1:])
    if doc["beyond"]:
        yield "  … and more, further than was followed"


def _about(event: Doc, target: str) -> str:
    """Name what an event is about, unless it is the thing that was asked for."""
    if event["subject"] == target:
        return ""
    detail = event["detail"]
    return f"{detail.get('path') or detail.get('branch') or short(event['subject'])}: "


def status(doc: Doc) -> Iterator[str]:
    states = ", ".join(f"{number:,} {state}" for state, number in doc["entries"].items() if number)
    yield f"wiki      {doc['wiki']}"
    yield f"branch    {doc['branch']}" + (f" at {short(doc['head'])}" if doc["head"] else "")
    aside = (
        f", {doc['set_aside']:,} set aside (searchable, never judged)" if doc["set_aside"] else ""
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
    waiting = f", {held:,} of them held back (`companion why ID` says why)" if held else ""
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
    yield from unfolded(doc["usage"]["waiting"])
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


def review(doc: Doc) -> Iterator[str]:
    for item in doc.get("items", [doc]):
        yield from _question(item)
    for side in doc.get("sides", ()):
        yield from _side(side)
    awaiting = ((_name(each["entry"]), each["reason"]) for each in doc.get("queue", ()))
    yield from _section("awaiting an audit", awaiting)


def _question(item: Doc) -> Iterator[str]:
    answered = f"  (answered {item['answer']} by {item['by']})" if item["answer"] else ""
    yield Title(f"{item['id']}  {item['kind']}{answered}")
    yield f"  {_name(item['entry'])}" + (
        f"  against  {_name(item['other'])}" if item["other"] else ""
    )
    yield f"  {item['reason']}"
    for claim in item["claims"]:
        told = f"  · {claim['source']}" if claim["source"] else ""
        yield f"  {claim['id']}  {claim['subject']} · {claim['predicate']}: {claim['object']}{told}"


def _side(side: Doc) -> Iterator[str]:
    yield ""
    yield Title(f"{side['side']}: {titled(side)}  ({side['kind']})")
    yield from (f"  {line}" for line in side["text"].rstrip("\n").split("\n"))
    if side["sources"]:
        yield f"  sources: {', '.join(side['sources'])}"
    if side["dependents"]:
        yield f"  rests on it: {', '.join(_name(each) for each in side['dependents'])}"


def models(doc: Doc) -> Iterator[str]:
    if "reasoners" not in doc:
        yield from _models_use(doc)
        return
    for each in doc["reasoners"]:
        state = (
            "in use" if each["in_use"] else "installed" if each["installed"] else "not installed"
        )
        yield Title(f"{each['name']}  ({state})")
        yield f"  model     {each['model'] or '-'}" + (
            f"  sha256 {each['weights'][:12]}" if each["weights"] else ""
        )
        if each["trouble"]:
            yield f"  trouble   {each['trouble']}"
        yield from (f"  {job:<9} {judge}" for job, judge in each["judges"].items())
        yield from (f"  {name:<9} {each[name]}" for name in ("download", "memory", "time", "calls"))
        if each["models"]:
            yield f"  choice    {', '.join(each['models'][:MANY])}"
    yield "download, memory and time are rough figures from one machine, not measured on this one"
    yield f"caps: {doc['max_calls']:,} calls and {doc['max_tokens']:,} tokens a night"


def _models_use(doc: Doc) -> Iterator[str]:
    would = "would use" if doc["dry_run"] else "now uses"
    yield Title(f"{would} {doc['reasoner']}" + (f" {doc['model']}" if doc["model"] else ""))
    yield from (f"  {job:<9} {judge}" for job, judge in doc["judges"].items())
    yield f"  embedded  {many(doc['embedded'], 'page')}"
    yield from (f"  judged    {tally['said']}" for tally in doc["judged"])
    yield from _section("flagged", ((item["entry"], item["reason"]) for item in doc["flagged"]))
    yield from ending(doc, "")


def remote(doc: Doc) -> Iterator[str]:
    private = ", private ones too" if doc["private"] else ""
    yield Title(f"{doc['remote']}  {doc['url']}")
    if "sent" not in doc:
        yield f"carries the pages by `git push`, and the notes{private} by `companion remote sync`"
        return
    came, sent = doc["received"], doc["sent"]
    yield f"received  {many(came['captures'], 'capture')}, {many(came['tellings'], 'telling')}"
    yield f"sent      {many(sent['captures'], 'capture') if sent['refs'] else 'nothing new'}{private}"


def export(doc: Doc) -> Iterator[str]:
    yield Title(f"exported to {doc['directory']}")
    yield from _exchanged(doc)


def import_(doc: Doc) -> Iterator[str]:
    yield Title(f"wiki    {doc['wiki']}")
    yield f"branch  {doc['branch']}"
    yield from _exchanged(doc)
    yield commit_of(doc)


def _exchanged(doc: Doc) -> Iterator[str]:
    yield f"tree    {short(doc['tree'])}"
    yield f"buffer  {short(doc['buffer']) or 'none'}" + (
        " and private ones" if doc["private"] else ""
    )
    yield counts(doc["counts"])


def doctor(doc: Doc) -> Iterator[str]:
    yield from (f"repaired  {done['what']}" for done in doc["repaired"])
    for finding in doc["findings"]:
        yield f"{finding['severity']:<8}  {finding['what']}"
        if finding["hint"]:
            yield f"{'':8}  {finding['hint']}"
    if doc["ok"]:
        yield "no damage found"


def rebuild(doc: Doc) -> Iterator[str]:
    parts = (many(doc["entries"], "entry"), many(doc["edges"], "edge"), many(doc["runs"], "run"))
    yield f"index rebuilt: {', '.join(parts)}"


def demo(doc: Doc) -> Iterator[str]:
    """Say nothing more: the demo has told its story while it ran."""
    yield from ()


def counts(numbers: dict[str, int]) -> str:
    """Return counts as ``3 captured, 1 seen``; zeros are left out."""
    said = (f"{number:,} {what.replace('_', ' ')}" for what, number in numbers.items() if number)
    return ", ".join(said) or "nothing changed"
