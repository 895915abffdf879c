"""Lines that several commands print about an entry: its weight, use, vitality, audits, other side."""

from collections.abc import Iterator

from companion.cli.format import Doc, short, when
from companion.values.wording import many


def weight(doc: Doc, *, explain: bool) -> Iterator[str]:
    """Yield whether an entry is protected; with *explain* also its gravity in numbers."""
    known = doc.get("weight")
    if known is None:
        return
    if known["flag"]:
        yield "  Protected: other pages depend on it."
    elif known["above"]:
        yield "  Other pages depend on it; the next `companion decay` protects it."
    if explain:
        yield f"  {known['reason']}  (as of {known['as_of'] or 'the first commit'})"


def used(doc: Doc, *, explain: bool) -> Iterator[str]:
    """Yield how often an entry was read, if at all; with *explain* also its utility."""
    use = doc.get("usage")
    if use is None or not (use["accesses"] or use["evidence"]):
        return
    last = f", last {when(use['last'])}" if use["last"] else ""
    utility = f"; {use['reason']}" if explain else ""
    if use["accesses"] or explain:
        yield f"  read {many(use['accesses'], 'time')}{last}{utility}"


def vitality(doc: Doc) -> Iterator[str]:
    """Yield the five terms of vitality in one line.

    The gravity of a page is unknown until the first `decay` after it was made.
    """
    terms = doc.get("terms")
    if terms is not None:
        parts = " + ".join(
            f"{label} {terms[name]:.3f}" for name, label in _TERMS
        )
        unknown = "" if doc.get("weight") else " (not weighed yet)"
        yield f"  vitality {terms['total']:.3f} = {parts}{unknown} - wear {terms['wear']:.3f}"


_TERMS = (
    ("recency", "recency"),
    ("frequency", "use"),
    ("utility", "utility"),
    ("gravity", "gravity"),
)


def faded(doc: Doc, *, explain: bool) -> Iterator[str]:
    """Yield what keeps an entry from fading, and where text that left its page lies."""
    if explain:
        yield from vitality(doc)
    if doc.get("pinned"):
        yield "  Kept: pinned."
    full = doc.get("full_text")
    if full is not None:
        lost = (
            ""
            if full["distortion"] is None
            else f", {round(100 * full['distortion'])} % of its words"
        )
        since = when(full["since"])[:10]
        yield f"  its full text is in cold memory since {since}{lost}: `companion recall {short(doc['id'])}`"
    for link in doc.get("archived_links", ()):
        now = (
            f", replaced by {short(link['superseded_by'])}"
            if link["superseded_by"]
            else ""
        )
        yield f"  [[{link['target']}]] is archived{now}: `companion recall {short(link['entry'])}`"


def shift(doc: Doc) -> Iterator[str]:
    """Yield which entry replaced this one, or was replaced by it lately."""
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


def audited(record: Doc) -> str:
    """Return one past audit in a line."""
    judged = (
        f", {many(record['judged'], 'answer')} judged by a model"
        if record["judged"]
        else ""
    )
    if record["result"] is None:
        return f"audited {when(record['since'])}: inconclusive{judged}"
    after = (
        "settled"
        if record["settled"]
        else "called off"
        if record["undone"]
        else "not settled yet"
    )
    return f"audited {when(record['since'])}: {record['result']} → {record['outcome']} ({after}){judged}"
