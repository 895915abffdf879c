"""Rows 1 and 2 of the routing matrix: the user's word for what the wiki calls otherwise (MaM §5.0).

A word diverges where its writer ties it to a page that does not bear it, and to that page alone: by
links that show it (`[[Message queue|the bus]]`), or outright ("also known as the bus"). No
similarity decides.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from companion.routing import matrix
from companion.routing.matrix import Conflict
from companion.values.claims import split_words

VERSION = "vocabulary-1"
# links that show the same word for the same page; said outright, once is enough
CONSISTENT = 3

_LINK = re.compile(
    r"(?<!!)\[\[([^\[\]|#\n]{1,200})(?:#[^\[\]|\n]*)?\|([^\[\]\n]{1,100})\]\]"
)
_ARTICLES = (
    "a",
    "an",
    "the",
    "our",
    "my",
    "your",
    "der",
    "die",
    "das",
    "unser",
    "unsere",
    "le",
    "la",
    "les",
    "notre",
)
# what a link shows where it names nothing
_POINTING = {
    "here",
    "there",
    "this",
    "that",
    "these",
    "those",
    "it",
    "its",
    "them",
    "link",
    "links",
    "page",
    "note",
    "notes",
    "entry",
    "article",
    "post",
    "see",
    "more",
    "above",
    "below",
    "source",
    "reference",
    "details",
    "read",
    "hier",
    "dies",
    "dieser",
    "diese",
    "dieses",
    "siehe",
    "seite",
    "notiz",
    "mehr",
    "ici",
    "ce",
    "cette",
    "voir",
    "lien",
}


class Use(NamedTuple):
    """A word that a link shows for its target."""

    target: str
    term: str


class Usage(NamedTuple):
    """How a word was used for an entry, as far as the wiki and tonight's captures tell."""

    key: str
    term: str
    entry: str
    links: int  # that show it for this entry, tonight's included
    elsewhere: int  # that show it for another target
    outright: bool  # somebody said that it is another name


class Marker(NamedTuple):
    """A divergence marker that stands."""

    key: str
    term: str
    entry: str
    row: int


class Verdict(NamedTuple):
    """What becomes of a word: `diverges` sets or changes its marker, `converges` ends it."""

    action: str
    key: str
    term: str
    entry: str
    row: int
    reason: str


def uses(text: str) -> Iterator[Use]:
    """Yield the words that links of *text* show for their targets, as far as they name
    something.
    """
    for target, shown in _LINK.findall(text):
        term = bare(shown)
        if term:
            yield Use(target.strip(), term)


def bare(shown: str) -> str:
    """Return a name without the article before it; nothing where it only points."""
    said = shown.split()
    while said and said[0].casefold() in _ARTICLES:
        said = said[1:]
    plain = split_words(" ".join(said))
    return " ".join(said) if plain and not _POINTING.issuperset(plain) else ""


def is_form(term: str, names: Collection[str]) -> bool:
    """Tell whether *term* is a form or a part of one of *names*: the ontology's own word, inflected
    or cut short.
    """
    said = {word[:4] for word in split_words(term)}
    return any(
        said & {word[:4] for word in split_words(name)} for name in names
    )


def judge(
    usage: Usage, marker: Marker | None, utility: Sequence[float]
) -> Verdict | None:
    """Return the verdict on one word; None where its marker already says so, or too little ties it
    to the entry.

    *utility* is the entry's over the last cycles, oldest first, each in [0, 1].
    """
    if usage.elsewhere or not (
        usage.outright or usage.links >= CONSISTENT or marker
    ):
        return None
    routed = matrix.route(Conflict("vocabulary", utility=utility))
    assert routed is not None
    if marker is not None and marker.row == routed.row:
        return None
    shown = (
        f"shown by {usage.links} links, and by none for anything else"
        if usage.links
        else "marked before"
    )
    how = "said outright" if usage.outright else shown
    trend = (
        f", utility {', '.join(f'{each:.2f}' for each in utility[-matrix.WINDOW :])}"
        if routed.row == 2
        else ""
    )
    return Verdict(
        "diverges",
        usage.key,
        usage.term,
        usage.entry,
        routed.row,
        f"{routed.reason}; {how}{trend}",
    )


def ended(marker: Marker, why: str) -> Verdict:
    """Return the verdict that a word diverges no more."""
    return Verdict(
        "converges",
        marker.key,
        marker.term,
        marker.entry,
        marker.row,
        f"row {marker.row}: {why}",
    )
