"""Claims as they are read out of a text, before any rule has judged them (claim ledger, LED-1)."""

from typing import Literal, NamedTuple

Precision = Literal["year", "month", "day", "hour", "minute", "second"]
Mood = Literal["confirmed", "tentative", "retracted"]


class Span(NamedTuple):
    """Where in the text a claim was read: character offsets, end exclusive."""

    start: int
    end: int


class Period(NamedTuple):
    """Valid time [start, end): when something was so in the world, not when it was learned."""

    start: str | None = None  # RFC 3339 UTC; None: open, or not said
    end: str | None = None  # exclusive; None: open, or not said
    precision: Precision | None = None  # the coarser of the bounds as said; None when no time was said
    stated: bool = False  # said in the text; False: nothing was said, and a default is no evidence of change


class Claim(NamedTuple):
    """One self-contained statement, with the words it was read from."""

    subject: str  # as written
    predicate: str  # as written, or the attribute's name
    object: str  # as written
    key: tuple[str, str]  # (subject, predicate) normalised: two claims on one matter share it
    functional: bool  # single-valued: "the director of X is Y" is, "likes" is not
    negated: bool  # the text denies it
    period: Period
    mood: Mood
    change: bool  # stated as a change: "now", "moved to", "no longer", "as of"
    span: Span
    rule: str  # which pattern read it: "en/attribute-of"
