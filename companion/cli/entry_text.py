"""What several commands say of an entry: its weight, its use, its vitality, its audits, its other side."""

from collections.abc import Iterator

from companion.cli.format import Doc, short, when
from companion.values.wording import many


def weight(doc: Doc) -> Iterator[str]:
    known = doc.get("weight")
    if known is not None:
        yield f"  {known['reason']}  (as of {known['as_of'] or 'the first commit'})"


def used(doc: Doc) -> Iterator[str]:
    """Say what is on record of the use of an entry, if it has any."""
    use = doc.get("usage")
    if use is not None and (use["accesses"] or use["evidence"]):
        last = f", last {when(use['last'])}" if use["last"] else ""
        yield f"  read {many(use['accesses'], 'time')}{last}; {use['reason']}"


def vitality(doc: Doc) -> Iterator[str]:
    """Yield the five terms in one line; a page that no night has weighed yet has no gravity."""
    terms = doc.get("terms")
    if terms is not None:
        parts = " + ".join(f"{label} {terms[name]:.3f}" for name, label in _TERMS)
        unknown = "" if doc.get("weight") else " (not weighed yet)"
        yield f"  vitality {terms['total']:.3f} = {parts}{unknown} - wear {terms['wear']:.3f}"


_TERMS = (
    ("recency", "recency"),
    ("frequency", "use"),
    ("utility", "utility"),
    ("gravity", "gravity"),
)


def faded(doc: Doc) -> Iterator[str]:
    """Yield how an entry fades, for `show`."""
    yield from vitality(doc)
    if doc.get("pinned"):
        yield "  pinned: it never fades"
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
        now = f", replaced by {short(link['superseded_by'])}" if link["superseded_by"] else ""
        yield f"  [[{link['target']}]] is archived{now}: `companion recall {short(link['entry'])}`"


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


def audited(record: Doc) -> str:
    """Return one past audit in a line."""
    judged = f", {many(record['judged'], 'answer')} judged by a model" if record["judged"] else ""
    if record["result"] is None:
        return f"audited {when(record['since'])}: inconclusive{judged}"
    after = (
        "settled" if record["settled"] else "called off" if record["undone"] else "not settled yet"
    )
    return f"audited {when(record['since'])}: {record['result']} → {record['outcome']} ({after}){judged}"
