"""Learn from notes of which a person said where they belong: a note much like one goes there, too.

Much alike are notes that share most of the words that tell something, numbers aside, and that begin
with no other name. A name in such a note that no page has is as good as an alias of its page.
"""

from collections.abc import Iterable, Sequence

from companion.pages import links
from companion.subjects.beginnings.spots import find_spots
from companion.subjects.beginnings.thing_words import SURE
from companion.subjects.values import Taught
from companion.subjects.words import (
    begins_with_subject,
    find_own_name,
    list_telling_words,
)

# the part of the words of both that two notes have in common that are much alike
_ALIKE = 0.6
# words of a note by which another can be like it
_FEWEST = 2


def list_taught_names(text: str) -> list[str]:
    """Return the keys of the names in the note *text* that may stand for its page."""
    names: dict[str, None] = {}
    own = find_own_name(text)
    if own is not None:
        names[own.key.removesuffix("'s")] = None
    for spot in find_spots(text):
        if spot.use == "name" and spot.weight == SURE:
            names[links.title_key(spot.form)] = None
    return list(names)


def list_words(text: str) -> frozenset[str]:
    """Return the words of the note *text* by which another is like it."""
    words = list_telling_words(text)
    return frozenset(word for word in words if not word[0].isdigit())


def find_alike(text: str, taught: Iterable[Taught]) -> Taught | None:
    """Return the note that *text* is much like; None if there is none, or several on two pages."""
    words = list_words(text)
    if len(words) < _FEWEST:
        return None
    first = None
    if begins_with_subject(text):
        first = next(word for word in list_telling_words(text))
    alike = []
    for one in taught:
        if first is not None and first not in one.words:
            continue
        likeness = len(words & one.words) / len(words | one.words)
        if likeness >= _ALIKE:
            alike.append((-likeness, one))
    alike.sort()
    return _agree([one for _, one in alike])


def _agree(taught: Sequence[Taught]) -> Taught | None:
    """Return the first of *taught* if all of them stand on one page."""
    if len({one.entry for one in taught}) != 1:
        return None
    return taught[0]
