"""Claims as they are read out of a text, before any rule has judged them (claim ledger, LED-1)."""

import unicodedata
from collections.abc import Mapping

from companion.annotations import Literal
from companion.patterns import lazy
from companion.tuples import NamedTuple

_EDGES = " \t\n\"'\u201c\u201d\u201e\u2018\u2019.,;:!?*_`"
_SPACE = lazy(r"[\s_]+")
_WORD = lazy(r"[^\W_]+(?:'[^\W\d_]+)?")

Precision = Literal["year", "month", "day", "hour", "minute", "second"]
Mood = Literal["confirmed", "tentative", "retracted"]
Strategy = Literal["latest", "evidence", "await", "policy"]
#: characters of an instant that count at each precision
PLACES: Mapping[Precision, int] = {
    "year": 4,
    "month": 7,
    "day": 10,
    "hour": 13,
    "minute": 16,
    "second": 27,
}


class Way(NamedTuple):
    """How what nothing in time settles on one predicate is settled (LED-5)."""

    strategy: Strategy = "latest"
    # policy: sources or agents, the most trusted first
    prefer: tuple[str, ...] = ()


class Span(NamedTuple):
    """Where in the text a claim was read: character offsets, end exclusive."""

    start: int
    end: int


class Period(NamedTuple):
    """Valid time [start, end): when something was so in the world, not when it was learned."""

    start: str | None = None  # RFC 3339 UTC; None: open, or not said
    end: str | None = None  # exclusive; None: open, or not said
    # the coarser of the bounds as said; None when no time was said
    precision: Precision | None = None
    # said in the text; False: nothing was said, and a default is no evidence of change
    stated: bool = False


class Claim(NamedTuple):
    """One self-contained statement, with the words it was read from."""

    subject: str  # as written
    predicate: str  # as written, or the attribute's name
    object: str  # as written
    # (subject, predicate) normalised: two claims on one matter share it
    key: tuple[str, str]
    # single-valued: "the director of X is Y" is, "likes" is not
    functional: bool
    negated: bool  # the text denies it
    period: Period
    mood: Mood
    change: bool  # stated as a change: "now", "moved to", "no longer", "as of"
    span: Span
    rule: str  # which pattern read it: "en/attribute-of"
    # the number that its line begins with: "12. The director is Eve"
    number: int | None = None


class Declared(NamedTuple):
    """The number under which a source states something, and the numbers of the whole note."""

    number: int
    first: int
    last: int
    note: str  # the capture


class Assertion(NamedTuple):
    """A claim as somebody told it: an immutable event with both clocks and its provenance
    (LED-1).
    """

    id: str  # of the event; the same telling has the same id on every machine
    key: tuple[str, str]  # (subject, predicate), normalised
    value: str  # the object, normalised: equal values corroborate each other
    told_at: str  # transaction time from which it is known
    # when it became so; the event time of the telling where nothing was said
    valid_from: str
    # when it stopped being so, exclusive; None: not said
    valid_to: str | None = None
    precision: Precision = "second"  # the coarser of the bounds
    # the text says when; a default is no evidence of change
    stated: bool = False
    change: bool = False  # stated as a change
    # whoever told it said of when it is; False: its time is that of being told
    given: bool = False
    mood: Mood = "confirmed"
    negated: bool = False
    functional: bool = True
    agent: str = ""
    source: str = ""
    # the order in which one source declares its own statements
    serial: int | None = None
    # the number that the source itself gave the statement
    declared: Declared | None = None
    confidence: float = 1.0  # in (0, 1]
    scope: Literal["shared", "private"] = "shared"
    # ids: what the owner takes back by hand, by name and whoever told it
    retracts: tuple[str, ...] = ()

    @property
    def voice(self) -> tuple[str, str]:
        """The speaker. Two tellings of one voice are one opinion, however often they are
        repeated.
        """
        return self.agent, self.source


def normal(said: str) -> str:
    """Return *said* as keys and values are compared: letter case, quotation marks and spaces make
    no other thing.
    """
    low = (
        unicodedata.normalize("NFKC", said)
        .casefold()
        .replace("\u2019", "'")
        .strip(_EDGES)
    )
    return _SPACE.sub(" ", low)


def alike(one: str, other: str) -> bool:
    """Tell whether two words are forms of one, by their stems: "lives" and "live", "Lieferant" and
    "Lieferanten".
    """
    stem = max(3, max(len(one), len(other)) - 2)
    return one == other or (
        min(len(one), len(other)) >= stem and one[:stem] == other[:stem]
    )


def split_words(said: str) -> list[str]:
    """Return the words of *said* as names are looked up: without case, accents and punctuation;
    "Anna's" is "anna".
    """
    if said.isascii():
        # nothing to take apart: most names, read for every claim of a long page
        return [w.removesuffix("'s") for w in _WORD.findall(said.lower())]
    plain = unicodedata.normalize(
        "NFKD", said.replace("\u2019", "'").casefold()
    )
    bare = "".join(char for char in plain if not unicodedata.combining(char))
    return [word.removesuffix("'s") for word in _WORD.findall(bare)]
