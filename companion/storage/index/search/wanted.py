"""What a person looks for, as a search reads it: words, phrases, beginnings, and fields.

The values only: `lookup.query` reads them, `storage.index` finds what fits.
"""

from companion.annotations import Literal
from companion.storage.index.ranking.spans import Span
from companion.tuples import NamedTuple

TermKind = Literal[
    "word",
    "phrase",
    "prefix",
    "tag",
    "type",
    "state",
    "since",
    "before",
    "source",
    "agent",
    "in",
]


class Term(NamedTuple):
    """One part of a query."""

    kind: TermKind
    # the words; of `since` and `before` an instant (RFC 3339 UTC)
    text: str


class Request(NamedTuple):
    """A query as it was read.

    Something fits that has one term at least of each of *groups*, and none of *without*. Of what
    fits, what has most of *words* comes first.
    """

    words: str
    groups: tuple[tuple[Term, ...], ...] = ()
    without: tuple[Term, ...] = ()
    # the times that its words name: what was told then comes first
    spans: tuple[Span, ...] = ()
    # its words without those of these times
    timeless: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether nothing but words is looked for."""
        return not self.groups and not self.without

    def find_state(self) -> str | None:
        """Return the one state that is asked for; None where none or several are."""
        for group in self.groups:
            if len(group) == 1 and group[0].kind == "state":
                return group[0].text
        return None
