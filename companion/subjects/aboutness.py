"""Decide which page each note is about, and why; or that it is about nothing known.

The rules in the order they apply; the first that finds one page decides:

1. person: a person said where the note belongs.
2. title: the note's own title is the title or an alias of a page. A note whose own title names no
   page begins one (`own-title`) and is about nothing known.
3. link: a link stands where the note says what it speaks of.
4. name: its words name a page's title or alias, in any form ("Annas", "Milbenfälle").
5. claim: a claim was read from it whose subject is a page's title or alias.
6. vector: one page is near enough, and nearer than the next.

Otherwise it is about nothing known. Of several pages that a note names it is about the one that it
names most, first where that ties; the others are its mentions.
"""

from collections.abc import Sequence

from companion.pages import links
from companion.subjects.values import About, Note, SubjectsView
from companion.subjects.words import find_names

# rules that decide otherwise than before have another version
VERSION = "aboutness-1"
# a page so near is what the note is about,
NEAR = 0.4
# where the next one is this much farther
MARGIN = 0.05


def decide_aboutness(
    notes: Sequence[Note], wiki: SubjectsView
) -> dict[str, About]:
    """Return for each note, by its capture, what it is about."""
    return {note.capture: _decide(note, wiki) for note in notes}


def _decide(note: Note, wiki: SubjectsView) -> About:
    linked = _list_linked(note, wiki)
    named = [spot.entry for spot in find_names(note, wiki)]
    mentioned = list(dict.fromkeys((*linked, *named)))
    about = (
        _by_person(note, wiki)
        or _by_title(note, wiki)
        or _by_most("link", linked)
        or _by_most("name", named)
        or _by_claim(note, wiki)
        or _by_vector(note, wiki)
        or About(None, "unknown", "no page is named or near enough")
    )
    others = tuple(entry for entry in mentioned if entry != about.entry)
    return _with_mentions(about, others)


def _by_person(note: Note, wiki: SubjectsView) -> About | None:
    if note.belongs is None or note.belongs not in wiki.subjects:
        return None
    return About(note.belongs, "person", "a person said so", 1.0)


def _by_title(note: Note, wiki: SubjectsView) -> About | None:
    if note.title is None:
        return None
    entries = _entries_of(links.title_key(note.title), wiki)
    if len(entries) == 1:
        return About(entries[0], "title", "it has the page's title", 1.0)
    if entries:
        reason = f"{len(entries)} pages have its title"
        return About(None, "own-title", reason)
    return About(None, "own-title", "its own title begins a page")


def _by_most(rule: str, entries: Sequence[str]) -> About | None:
    if not entries:
        return None
    counts = {entry: entries.count(entry) for entry in dict.fromkeys(entries)}
    best = max(counts, key=lambda entry: counts[entry])
    reason = f"it names the page {counts[best]} times of {len(entries)}"
    if rule == "link":
        return About(best, "link", reason, 1.0)
    return About(best, "name", reason, 1.0)


def _by_claim(note: Note, wiki: SubjectsView) -> About | None:
    for subject in note.subjects:
        entries = _entries_of(links.title_key(subject), wiki)
        if len(entries) == 1:
            return About(entries[0], "claim", "a claim of it is of this", 1.0)
    return None


def _by_vector(note: Note, wiki: SubjectsView) -> About | None:
    near = wiki.nearest.get(note.capture, ())
    if not near:
        return None
    first = near[0]
    second = near[1] if len(near) > 1 else None
    margin = first.cosine
    if second is not None:
        margin = first.cosine - second.cosine
    if first.cosine < NEAR or margin < MARGIN:
        return None
    reason = f"nearest page, cosine {first.cosine:.3f}, margin {margin:.3f}"
    runner_up = None if second is None else second.entry
    return About(first.entry, "vector", reason, first.cosine, runner_up, margin)


def _list_linked(note: Note, wiki: SubjectsView) -> list[str]:
    """Return the entries that the note's links mean; a link that may mean several means none."""
    entries = []
    for target in note.links:
        meant = wiki.links.get(target, ())
        if len(meant) == 1:
            entries.append(meant[0])
    return entries


def _entries_of(key: str, wiki: SubjectsView) -> list[str]:
    return sorted({name.entry for name in wiki.names if name.key == key})


def _with_mentions(about: About, mentions: tuple[str, ...]) -> About:
    return About(
        about.entry,
        about.rule,
        about.reason,
        about.score,
        about.runner_up,
        about.margin,
        mentions,
    )
