"""What `branches` and `quarantine` say to a person."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from companion.cli.format import Doc, name_of, section, short, when
from companion.cli.output import Title
from companion.values.wording import many


def branches(doc: Doc) -> Iterator[str]:
    for each in doc.get("branches", [doc]):
        yield from _branch(each)
    for member in doc.get("members", ()):
        yield from _voice(member)
    for file in doc.get("files", ()):
        yield from file["diff"].split("\n")
    if doc.get("folder"):
        yield f"as it would look: {doc['folder']}"


def _branch(doc: Doc) -> Iterator[str]:
    became = f" → {called(doc['entry'])}" if doc["entry"] else ""
    yield Title(f"{doc['name']}  ({doc['state']}{became})")
    yield f"  against   {called(doc['incumbent'])}"
    if doc["threshold"] and doc["pressure"] is not None:
        yield f"  pressure  {doc['pressure']:.2f} of {doc['threshold']:.2f}  {bar(doc['pressure'] / doc['threshold'])}"
    if doc["why"]:
        yield f"  why       {doc['why']}"
    yield (
        f"  cluster   {many(doc['cluster_size'], 'member')}, {many(doc['contradictions'], 'contradiction')}, "
        f"{many(doc['cycles_open'], 'cycle')} open"
    )
    yield from _history(doc["history"], reasons="members" in doc)


def _history(events: Sequence[Doc], *, reasons: bool) -> Iterator[str]:
    """Say what each night did to a branch: a line with its numbers, and its reasons where they are
    asked for.
    """
    for (time, _), each in groupby(events, key=lambda event: (event["time"], event["run"])):
        night = list(each)
        weighed = next((e for e in night if e["threshold"] and e["pressure"] is not None), None)
        numbers = f"{weighed['pressure']:.2f} of {weighed['threshold']:.2f}" if weighed else ""
        undone = "  (taken back)" if night[0]["undone"] else ""
        yield f"  {when(time)}  {', '.join(_happened(night)):<18}  {numbers}{undone}".rstrip()
        if reasons:
            yield from (
                f"    {reason}" for reason in dict.fromkeys(e["reason"] for e in night) if reason
            )


def _happened(night: Sequence[Doc]) -> Iterator[str]:
    joined = sum(event["event"] == "joined" for event in night)
    for name in dict.fromkeys(event["event"] for event in night):
        if name == "joined":
            yield f"{joined} joined"
        elif name != "weighed" or len(night) == 1:
            yield _HAPPENED.get(name, name)


_HAPPENED = {"branched": "opened", "weighed": "told again"}


def decisions(made: Sequence[Doc], dry_run: bool) -> Iterator[str]:
    """Say what a night decided, or would decide, about branches."""
    if made:
        yield Title("would decide on branches" if dry_run else "branches")
    for each in made:
        name = f"minority/{each['branch']}" if each["branch"] else "extended buffer"
        yield f"  {_DID[each['action']]:<8} {name}"
        yield f"{'':11}{each['reason']}"


_DID = {
    "open": "opened",
    "grow": "grew",
    "extend": "waits",
    "hold": "presses",
    "promote": "won",
    "follow": "follows",
}


def called(named: Doc) -> str:
    """Return what an entry is called, and where it lies."""
    return (
        f"“{named['title']}” · {named['path']}"
        if named["title"] and named["path"]
        else name_of(named)
    )


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


def shift(doc: Doc) -> Iterator[str]:
    """Say of an entry that fell, or rose lately, which is the other side."""
    young = doc.get("shift")
    if young:
        lost = (
            f"lost to minority/{young['branch']}"
            if young["role"] == "old"
            else f"was minority/{young['branch']}"
        )
        other = (
            f"“{young['title']}” ({short(young['other'])})"
            if young["title"]
            else short(young["other"])
        )
        yield f"  {lost} on {when(young['since'])}; the other side is {other}"
    elif doc.get("superseded_by"):
        named = doc.get("successor")
        yield f"  superseded by {f'“{named}” ' if named else ''}({short(doc['superseded_by'])})"


def bar(share: float, width: int = 20) -> str:
    """Return a share of 1, 0 or more, as a bar; what is beyond 1 is full."""
    full = int(max(0.0, min(1.0, share)) * width)
    return f"[{'#' * full}{'.' * (width - full)}]"


def _voice(member: Doc) -> Iterator[str]:
    who = ", ".join((*member["agents"], *member["sources"])) or "yours"
    side = "" if member["contradicts"] else ", which only supports it"
    yield f"  {short(member['capture'])}  {when(member['joined'])}  {who}, {_times_told(member['tellings'])}{side}"
    yield f"    {member['text']}"


def _times_told(count: int) -> str:
    return "told once" if count == 1 else f"told {count} times"


def quarantine(doc: Doc) -> Iterator[str]:
    yield from section(
        "in quarantine", ((called(item), _judged(item["reason"])) for item in doc["entries"])
    )
    waiting = (
        (_note(item), f"against {called(item['incumbent'])}: {item['reason']}")
        for item in doc["extended"]
    )
    yield from section("in the extended buffer", waiting)


def _note(item: Doc) -> str:
    return (
        f"“{item['title']}” ({short(item['capture'])})" if item["title"] else short(item["capture"])
    )


def _judged(reason: str) -> str:
    return reason.removeprefix("new page in quarantine; ")
