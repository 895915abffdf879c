"""What fades, what is kept, and what comes back from cold memory, said to a person."""

from collections.abc import Iterator

from companion.cli.format import Doc, ending, section, short, some, when
from companion.cli.output import Title
from companion.values.wording import many

_STEPS = {
    "decaying": ("fading", "would fade"),
    "compressed": ("compressed", "would be compressed"),
    "archived": ("archived", "would be archived"),
    "restored": ("restored", "would be restored"),
    "kept": ("kept, although little speaks for them", "kept, although little speaks for them"),
}


def decay(doc: Doc) -> Iterator[str]:
    floor = doc["floor"]
    yield Title(
        f"weighed {many(doc['entries'], 'entry')}: {doc['above']:,} above the floor {floor['value']:.2f}"
    )
    yield f"  floor: {floor['rule']}"
    for name in ("protected", "unprotected"):
        said = f"would be {name}" if doc["dry_run"] else name
        yield from section(
            said, ((item["path"] or item["entry"], item["reason"]) for item in doc[name])
        )
    yield from _steps(doc)
    yield from section("left out", ((item["path"], item["reason"]) for item in doc["left_out"]))
    yield from ending(doc, "nothing fades, and no flag changes")


def recall(doc: Doc) -> Iterator[str]:
    if doc["restored"]:
        said = "would be restored" if doc["dry_run"] else "restored"
        yield Title(
            f"{doc['title']}: {said}"
            + (f" as {short(doc['restored'])}" * (doc["restored"] != doc["entry"]))
        )
    else:
        yield Title(f"{doc['title']}  ({doc['state']}; this is its full text)")
        yield ""
        yield from (line.rstrip("\r") for line in doc["text"].rstrip("\n").split("\n"))
    yield from ending(doc, "")


def pin(doc: Doc) -> Iterator[str]:
    if "pins" in doc:
        yield from (f"{each['title']}  {each['path']}" for each in doc["pins"])
        yield from ([] if doc["pins"] else ["nothing is pinned"])
        return
    said = "pinned" if doc["pinned"] else "no longer pinned"
    yield Title(f"{doc['title']}: {said}{'' if doc['commit'] else ' already'}")
    yield from ending(doc, "")


unpin = pin


def _steps(doc: Doc) -> Iterator[str]:
    """Yield every entry that fades or comes back, and every one that does not although its vitality
    is low.
    """
    for name, said in _STEPS.items():
        if doc[name]:
            yield Title(f"{said[doc['dry_run']]} {len(doc[name]):,}")
            yield from some(line for item in doc[name] for line in _entry(item))
    if doc["decides"] is None:
        yield "nothing fades before the wiki was used on seven days"


def _entry(item: Doc) -> Iterator[str]:
    yield f"  {item['title']}  {item['path']}{_change(item)}"
    yield f"    {item['reason']}"


def _change(item: Doc) -> str:
    if not item["managed"]:
        return "  (yours: only its rank in a search changes)"
    if item["distortion"] is None:
        return ""
    return f"  ({round(100 * item['distortion'])} % of its words leave the page; `companion recall` shows them)"


def vitality(doc: Doc) -> Iterator[str]:
    """Yield the five terms in one line; a page that no night has weighed yet has no gravity."""
    terms = doc.get("terms")
    if terms is not None:
        parts = " + ".join(f"{label} {terms[name]:.3f}" for name, label in _TERMS)
        unknown = "" if doc.get("weight") else " (not weighed yet)"
        yield f"  vitality {terms['total']:.3f} = {parts}{unknown} - wear {terms['wear']:.3f}"


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


_TERMS = (
    ("recency", "recency"),
    ("frequency", "use"),
    ("utility", "utility"),
    ("gravity", "gravity"),
)


def counted(fading: Doc | None) -> Iterator[str]:
    """Yield how far forgetting has come, for `status`."""
    if fading is not None and any(fading.values()):
        parts = [f"{fading[name]:,} {name}" for name in ("compressed", "pinned") if fading[name]]
        if fading["cold"]:
            parts.append(f"{many(fading['cold'], 'full text')} in cold memory")
        yield f"fading    {', '.join(parts)}"
