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
from companion.values.wording import many

VERSION = "vocabulary-2"
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
    """The decision on a word: `diverges` sets or changes its marker, `converges` ends it."""

    action: str
    key: str
    term: str
    entry: str
    row: int
    reason: str


def list_uses(text: str) -> Iterator[Use]:
    """Yield the words that links of *text* show for their targets, where they name something."""
    for target, shown in _LINK.findall(text):
        term = strip_article(shown)
        if term:
            yield Use(target.strip(), term)


def strip_article(shown: str) -> str:
    """Return a name without the article before it; "" where it only points, as "here" does."""
    pieces = shown.split()
    while pieces and pieces[0].casefold() in _ARTICLES:
        pieces = pieces[1:]
    name = " ".join(pieces)
    words = split_words(name)
    if not words or _POINTING.issuperset(words):
        return ""
    return name


def is_form(term: str, names: Collection[str]) -> bool:
    """Tell whether *term* is one of *names*, inflected or cut short."""
    stems = _stems(term)
    return any(stems & _stems(name) for name in names)


def _stems(name: str) -> set[str]:
    return {word[:4] for word in split_words(name)}


def judge_word(
    usage: Usage, marker: Marker | None, utility: Sequence[float]
) -> Verdict | None:
    """Return the verdict on one word; None where its marker already says so, or too little ties it
    to the entry.

    *utility* is the entry's over the last cycles, oldest first, each in [0, 1].
    """
    if usage.elsewhere:
        return None
    is_tied = usage.outright or usage.links >= CONSISTENT
    if not is_tied and marker is None:
        return None
    routed = matrix.route(Conflict("vocabulary", utility=utility))
    assert routed is not None
    if marker is not None and marker.row == routed.row:
        return None
    reason = _describe_usage(usage)
    details = routed.reason
    if routed.row == 2:
        trend = [f"{value:.2f}" for value in utility[-matrix.WINDOW :]]
        how = (
            "less and less"
            if utility[-1] < utility[-matrix.WINDOW]
            else "badly"
        )
        reason += f" The page serves its readers {how}."
        details += f"; utility {', '.join(trend)}"
    return Verdict(
        "diverges",
        usage.key,
        usage.term,
        usage.entry,
        routed.row,
        f"{reason} ({details})",
    )


def _describe_usage(usage: Usage) -> str:
    if usage.outright:
        return f"It was said outright that this page is also called “{usage.term}”."
    if usage.links:
        links = many(usage.links, "link")
        return f"“{usage.term}” stands for this page in {links}, and for no other page."
    return f"“{usage.term}” was another name for this page before."


def end_marker(marker: Marker, why: str) -> Verdict:
    """Return the verdict that a word diverges no more; *why* is a sentence."""
    return Verdict(
        "converges",
        marker.key,
        marker.term,
        marker.entry,
        marker.row,
        f"{why} (row {marker.row})",
    )
