"""A note, the subjects of a wiki that it may be about, and the answer."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

Rule = Literal[
    "person",
    "title",
    "link",
    "name",
    "claim",
    "vector",
    "follows",
    "own-title",
    "unknown",
]


class Note(NamedTuple):
    """A note as it was told; a private one is never handed in."""

    capture: str
    text: str
    title: str | None = None  # a title of its own
    links: tuple[str, ...] = ()  # link targets as written
    # the subjects of its claims, as it names them, first one first
    subjects: tuple[str, ...] = ()
    # the entry that a person said it belongs to
    belongs: str | None = None
    told_at: str | None = None  # RFC 3339; None where it is not known
    teller: str = ""  # notes of two tellers do not go on with each other


class Subject(NamedTuple):
    """A page that notes may be about."""

    entry: str
    title: str
    managed: bool  # companion writes its page; False: it is theirs
    kind: str = ""  # the page's type, where it has one


class Near(NamedTuple):
    """A page that a note may be about although it does not name it."""

    entry: str
    cosine: float  # of the vectors of both
    # how much of the note's words the page has for each word, and of its first one
    share: float = 0.0
    first: float = 0.0
    # the note begins with its subject, a word with a capital or behind "the", that the page lacks
    begins_elsewhere: bool = False
    # the note surely begins with a name that the page lacks
    names_another: bool = False
    # one word alone leads to the page, and neither its names nor its beginning have it
    alone: bool = False
    # how much of the note's words the page has, its own names left out
    beside: float = 0.0


class Name(NamedTuple):
    """A title or an alias of a page, as names are looked up."""

    key: str
    entry: str


class Taught(NamedTuple):
    """A note of which a person said on which page it belongs."""

    capture: str
    entry: str  # the page on which it stands now
    words: frozenset[str]  # that tell something
    names: tuple[str, ...] = ()  # keys of its names that no page has


@dataclass(frozen=True)
class SubjectsView:
    """The wiki as the notes of one night may see it: only the things that their words lead to."""

    subjects: Mapping[str, Subject]  # by entry
    # the titles and aliases that may stand in the notes
    names: Sequence[Name] = ()
    # link target as written -> the entries that it may mean
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    # capture -> the pages that it may be about although it does not name them
    nearest: Mapping[str, Sequence[Near]] = field(default_factory=dict)
    # notes of which a person said where they belong
    taught: Sequence[Taught] = ()

    def without(self, entries: Collection[str]) -> "SubjectsView":
        """Return the view that knows nothing of *entries*."""
        subjects = {
            entry: subject
            for entry, subject in self.subjects.items()
            if entry not in entries
        }
        meant = {}
        for target, found in self.links.items():
            meant[target] = tuple(one for one in found if one not in entries)
        names = [name for name in self.names if name.entry not in entries]
        return replace(self, subjects=subjects, names=names, links=meant)


@dataclass(frozen=True)
class About:
    """The page that a note is about, and by which rule."""

    entry: str | None  # None: about nothing known
    rule: Rule
    reason: str  # one line without figures; it quotes no words of the note
    score: float = 0.0  # how near the nearest page is; 1 where a word says so
    # the entry that came second; of a note about nothing known, the nearest
    runner_up: str | None = None
    margin: float = 0.0  # how far behind the second was
    # other entries that the note names, in the order of the text
    mentions: tuple[str, ...] = ()
    figures: str = ""  # what nearness counted; empty where a word decided

    def list_entries(self) -> list[str]:
        """Return the entries that the note may be about, the likeliest first, each once."""
        likely = (self.entry, *self.mentions, self.runner_up)
        return list(dict.fromkeys(entry for entry in likely if entry))
