"""What fades, what is kept, and what comes back from cold memory, said to a person."""

from collections.abc import Iterator

from companion.model.counted import many
from companion.ui import Title
from companion.words import Doc, some

_STEPS = {
    "decaying": ("fading", "would fade"),
    "compressed": ("compressed", "would be compressed"),
    "archived": ("archived", "would be archived"),
    "restored": ("restored", "would be restored"),
    "kept": ("kept, although little speaks for them", "kept, although little speaks for them"),
}


def steps(doc: Doc) -> Iterator[str]:
    """Yield every entry that fades or comes back, and every one that does not although its vitality is low."""
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


def vitality(terms: Doc | None) -> Iterator[str]:
    """Yield the five terms in one line."""
    if terms is not None:
        parts = " + ".join(f"{label} {terms[name]:.3f}" for name, label in _TERMS)
        yield f"  vitality {terms['total']:.3f} = {parts} - wear {terms['wear']:.3f}"


_TERMS = (("recency", "recency"), ("frequency", "use"), ("utility", "utility"), ("gravity", "gravity"))


def counted(fading: Doc | None) -> Iterator[str]:
    """Yield how far forgetting has come, for `status`."""
    if fading is not None and any(fading.values()):
        parts = [f"{fading[name]:,} {name}" for name in ("compressed", "pinned") if fading[name]]
        if fading["cold"]:
            parts.append(f"{many(fading['cold'], 'full text')} in cold memory")
        yield f"fading    {', '.join(parts)}"
