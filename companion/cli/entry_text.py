"""Lines that several commands print about an entry: its weight, use, vitality and audits."""

from collections.abc import Iterator

from companion.cli.format import Doc, at, called, called_statement, local, short
from companion.values.wording import many, times_in_words


def weight(doc: Doc, *, explain: bool) -> Iterator[str]:
    """Yield whether an entry is protected; with *explain* also its gravity in numbers."""
    known = doc.get("weight")
    if known is None:
        return
    if known.get("myself"):
        yield "  Protected: it says who you are."
    elif known["flag"]:
        yield "  Protected: other pages depend on it."
    elif known["above"]:
        yield "  Other pages depend on it; the next `companion decay` protects it."
    if explain:
        as_of = known["as_of"] or "the first commit"
        yield f"  {known['reason']}  (as of {as_of})"


def used(doc: Doc, *, explain: bool) -> Iterator[str]:
    """Yield how often an entry was read, if at all; with *explain* also its utility."""
    use = doc.get("usage")
    if use is None or not (use["accesses"] or use["evidence"]):
        return
    if not use["accesses"] and not explain:
        return
    last = f", last on {at(use['last'])}" if use["last"] else ""
    utility = f"; {use['reason']}" if explain else ""
    yield f"  Read {times_in_words(use['accesses'])}{last}{utility}."


def vitality(doc: Doc) -> Iterator[str]:
    """Yield the five terms of vitality in one line.

    The gravity of a page is unknown until the first `decay` after it was made.
    """
    terms = doc.get("terms")
    if terms is None:
        return
    parts = [f"{label} {terms[name]:.3f}" for name, label in _TERMS]
    unknown = "" if doc.get("weight") else " (not weighed yet)"
    total = f"{terms['total']:.3f} = {' + '.join(parts)}{unknown}"
    yield f"  vitality {total} - wear {terms['wear']:.3f}"


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
    if doc.get("full_text") is not None:
        yield _full_text(doc)
    for link in doc.get("archived_links", ()):
        yield _archived_link(link)


def _full_text(doc: Doc) -> str:
    full = doc["full_text"]
    share = ""
    if full["distortion"] is not None:
        share = f" {round(100 * full['distortion'])} % of its words left it;"
    since = local(full["since"])[:10]
    return (
        f"  Compressed on {since}:{share} "
        f"`companion recall {short(doc['id'])}` shows the full text."
    )


def _archived_link(link: Doc) -> str:
    successor = ""
    if link["superseded_by"]:
        successor = f", replaced by {short(link['superseded_by'])}"
    return (
        f"  [[{link['target']}]] is archived{successor}: "
        f"`companion recall {short(link['entry'])}` shows it."
    )


def shift(doc: Doc) -> Iterator[str]:
    """Yield which entry replaced this one, or was replaced by it lately."""
    young = doc.get("shift")
    if young:
        yield _young_shift(young)
    elif doc.get("superseded_by"):
        successor = doc.get("successor")
        yield f"  Replaced by {_titled_id(successor, doc['superseded_by'])}."


def _young_shift(young: Doc) -> str:
    since = local(young["since"])
    other = _titled_id(young["title"], young["other"])
    branch = f"minority/{young['branch']}"
    if young["statement"]:
        lost = called_statement(young["statement"])
        return f"  On {since} {branch} took the place of {lost}."
    if young["role"] == "old":
        return f"  Replaced on {since} by {other}, which was {branch}."
    return f"  Replaced {other} on {since}; until then it was {branch}."


def _titled_id(title: str | None, id: str) -> str:
    return f"“{title}” ({short(id)})" if title else short(id)


def audited(record: Doc) -> str:
    """Return one past audit in a line."""
    result = "inconclusive"
    if record["result"] is not None:
        result = f"{record['result']} → {record['outcome']} ({_after(record)})"
    judged = ""
    if record["judged"]:
        judged = f", {many(record['judged'], 'answer')} judged by a model"
    note = ""
    if record["statement"]:
        note = f", {called_statement(record['statement'])}"
    return f"audited on {at(record['since'])}{note}: {result}{judged}"


def _after(record: Doc) -> str:
    if record["settled"]:
        return "settled"
    return "called off" if record["undone"] else "not settled yet"


def place(doc: Doc) -> Iterator[str]:
    """Yield where the note of a capture stands, and what became of it."""
    found = doc.get("place")
    if found is None:
        return
    where = called(found["page"])
    if found["link"]:
        where = f"{where} · {found['link']}"
    if found["state"] == "stands":
        yield f"  Stands on {where}."
    else:
        yield _lost_place(found, where)
    for page in found["mentioned_on"]:
        yield f"  Mentioned on {called(page)}."


def _lost_place(found: Doc, where: str) -> str:
    by = f"; {short(found['by'])} took its place" if found["by"] else ""
    on = f" on {local(found['since'])[:10]}" if found["since"] else ""
    if found["state"] == "lost":
        return f"  Lost{on}{by}: under “Earlier” on {where}."
    return f"  Archived{on}{by}: it left {where}; `companion recall` shows it."
