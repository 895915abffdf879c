"""A question as the walk through the claims reads it: whom it names, which words a chain must
cover, what kind answers.

A slot is one word that an answer owes something to. Words that say nothing are none; those of
another name, of kinds and of emphasis ("the well-known group") count where a claim says them and
are not missed where none does.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

ME, US = "me", "us"  # what keys call who tells
LONGEST = 10  # words of the longest name
_SHORT = 3  # letters that a name in a genitive has at least
# letters from which one wrong letter is taken for a slip of the finger
_TYPED = 6
_WORD = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
_PIECE = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?|[,;()]")

# names -> those of whom anything was told
Known = Callable[[Sequence[str]], Collection[str]]


class Words(NamedTuple):
    """What languages ask with; tables that do not depend on the question are those of all languages
    together.
    """

    # word -> the concepts that it stands for
    concepts: Mapping[str, Collection[str]]
    stems: Mapping[str, Collection[str]]  # the same by stems
    # word -> the kinds of thing that it names
    kinds: Mapping[str, Collection[str]]
    values: Mapping[str, Collection[str]]  # concept -> the kinds of its values
    wider: Mapping[str, Collection[str]]  # kind -> the wider kinds
    # question word -> the kinds that answer it
    asks: Mapping[str, Collection[str]]
    stop: Collection[str]  # words that say nothing of what is asked
    weak: Collection[str]  # words that need no claim
    me: Collection[str]  # words by which the asker means themselves
    called: Collection[str]  # what agents call whom they work for: "the user's"
    us: Collection[str]  # those by which they mean themselves with others
    # what stands between a thing and what says which one: "of", "at"
    between: Collection[str]
    ors: Collection[str]
    ands: Collection[str]
    which: Collection[str]  # what stands before the kind that is asked for
    articles: Collection[str]
    identity: Collection[str]  # predicates that say what something is
    times: Collection[str]  # words that a time is told with
    numbers: Collection[str]
    endings: Sequence[str]  # of words, the longest first
    agents: Collection[str]  # endings of who does what a verb says
    by: Collection[str]  # what stands between a deed and who did it
    symmetric: Collection[str]  # concepts that hold both ways
    past: Collection[str]  # words that ask for what was so before
    clock: Collection[str] = ()  # what stands before an hour
    inside: Collection[str] = ()  # before where something happens: "play in"
    holding: Collection[str] = ()  # before who has a thing: "is with"

    def stem(self, word: str) -> str:
        return stem(word, self.endings)

    def meanings(
        self, word: str, *, proper: bool = False, plainly: bool = False
    ) -> frozenset[str]:
        """Return the concepts of *word*; its stem is one, so that what no table has is found again
        in other forms.
        """
        found = self.concepts.get(word) or (
            None if plainly else self.stems.get(self.stem(word))
        )
        if (
            found is None
            and len(word) >= _TYPED
            and not (
                proper or plainly or word in self.kinds or word in self.stop
            )
        ):
            found = self.concepts.get(_slipped(word, tuple(self.concepts)))
        return frozenset(found or {"~" + self.stem(word)})

    def covers(self, kinds: Collection[str], asked: Collection[str]) -> bool:
        """Tell whether a value of one of *kinds* is of a kind that is *asked*, or of a wider one
        that usually is it.
        """
        wide = {
            *kinds,
            *(up for kind in kinds for up in self.wider.get(kind, ())),
        }
        return bool(wide & set(asked) or ("city" in asked and "place" in kinds))


class Slot(NamedTuple):
    """A word of the question that an answer should cover."""

    at: int  # its place among the words
    word: str
    means: frozenset[str]
    kinds: frozenset[str]
    owed: bool  # no chain answers without it
    proper: bool  # a name: values may cover it


class Question(NamedTuple):
    """A question taken apart."""

    said: tuple[str, ...]  # its words, without punctuation
    # (name, first word, end): of whom something was told
    names: tuple[tuple[str, int, int], ...]
    owners: frozenset[int]  # the places of words like "Anna's"
    slots: tuple[Slot, ...]
    kinds: frozenset[str]  # of which kind an answer must be; none: any
    # the places of the words of which the last step must cover one; none: any
    head: tuple[int, ...]


def read_question(question: str, known: Known, words: Words) -> Question:
    """Take *question* apart."""
    pieces = _pieces(question, words)
    said = tuple(word for word, _ in pieces)
    names = _names(said, known, words)
    owners = frozenset(
        at
        for at, word in enumerate(_WORD.findall(plain(question)))
        if word.endswith("'s")
    )
    owners |= frozenset(
        end - 1
        for name, _, end in names
        if said[end - 1] == f"{name.rpartition(' ')[2]}s"
    )
    taken = {at for _, first, end in names for at in range(first, end)}
    aside = _asides(pieces, names, words)
    aside |= _alternatives(pieces, aside, words) | _attached(said, names, words)
    slots = [
        _slot(at, said, aside, taken, question, words)
        for at in range(len(said))
        if _counts(at, said, taken, words)
    ]
    kinds, head = _asked(said, slots, words)
    return Question(said, names, owners, tuple(slots), kinds, head)


def stem(word: str, endings: Sequence[str]) -> str:
    """Return *word* without the longest ending that leaves three letters; *endings* are sorted, the
    longest first.
    """
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word


def plain(said: str) -> str:
    """Return *said* without case and accents."""
    low = unicodedata.normalize("NFKD", said.replace("\u2019", "'").casefold())
    return "".join(char for char in low if not unicodedata.combining(char))


def _pieces(question: str, words: Words) -> list[tuple[str, bool]]:
    """Return (word, whether a comma or bracket stands before it)."""
    found: list[tuple[str, bool]] = []
    broken = False
    for piece in _PIECE.findall(plain(question)):
        if piece in ",;()":
            broken = True
            continue
        word = piece.removesuffix("'s")
        found.append(
            (ME if word != piece and word in words.called else word, broken)
        )
        broken = False
    return found


def _names(
    said: Sequence[str], known: Known, words: Words
) -> tuple[tuple[str, int, int], ...]:
    """Return the subjects that the question names, the longest names first."""
    grams = {
        (i, n): " ".join(said[i : i + n])
        for n in range(LONGEST, 0, -1)
        for i in range(len(said) - n + 1)
    }
    told = set(known(sorted({*grams.values(), ME, US})))
    owned = _owned(said, grams, told, known, words)
    grams |= owned
    told |= set(owned.values())
    found: list[tuple[str, int, int]] = []
    used: set[int] = set()
    for (i, n), gram in grams.items():
        empty = all(
            word in words.stop or word in words.me or word in words.us
            for word in said[i : i + n]
        )
        if gram in told and not empty and not set(range(i, i + n)) <= used:
            found.append((gram, i, i + n))
            used |= set(range(i, i + n))
    return (*found, *_selves(said, found, told, words))


def _owned(
    said: Sequence[str],
    grams: Mapping[tuple[int, int], str],
    told: Collection[str],
    known: Known,
    words: Words,
) -> dict[tuple[int, int], str]:
    """Return whose names stand in a genitive without an apostrophe: "Annas Zahnarzt"."""
    bare = {
        (i, n): gram[:-1]
        for (i, n), gram in grams.items()
        if gram not in told
        and gram.endswith("s")
        and len(gram) > _SHORT
        and said[i + n : i + n + 1]
        and said[i + n] not in words.stop
    }
    found = set(known(sorted(set(bare.values())))) if bare else set()
    return {place: name for place, name in bare.items() if name in found}


def _selves(
    said: Sequence[str],
    found: Sequence[tuple[str, int, int]],
    told: Collection[str],
    words: Words,
) -> Iterator[tuple[str, int, int]]:
    """Yield whom "my" and "our" speak of: "my office" may be told of by itself, as something of
    mine, or as ours.
    """
    inside = {
        at
        for _, first, end in found
        for at in range(first + (end - first > 1), end)
    }
    for at, word in enumerate(said):
        if at in inside or (word not in words.me and word not in words.us):
            continue
        own, other = (ME, US) if word in words.me else (US, ME)
        yield own, at, at + 1
        if other in told:
            yield other, at, at + 1


def _counts(
    at: int, said: Sequence[str], taken: Collection[int], words: Words
) -> bool:
    return not any(
        said[at] in little
        for little in (words.stop, words.me, words.us, words.ors, words.ands)
    )


def _slot(
    at: int,
    said: Sequence[str],
    aside: Collection[int],
    taken: Collection[int],
    question: str,
    words: Words,
) -> Slot:
    word = said[at]
    kinds = frozenset(
        words.kinds.get(word) or words.kinds.get(words.stem(word)) or ()
    )
    proper = at in taken or word.isdigit()
    slight = word in words.weak or words.stem(word) in {
        words.stem(weak) for weak in words.weak
    }
    owed = not (
        slight
        or at in aside
        or (word.endswith("ly") and word not in words.past)
    )
    means = words.meanings(word, proper=proper, plainly=word in words.weak)
    return Slot(at, word, means, kinds, owed, proper)


def _asides(
    pieces: Sequence[tuple[str, bool]],
    names: Sequence[tuple[str, int, int]],
    words: Words,
) -> set[int]:
    """Return the words of "X, a kind of thing, …": what is said between commas behind a name."""
    ends = {end for _, _, end in names}
    found: set[int] = set()
    for at in ends:
        if (
            at < len(pieces)
            and pieces[at][1]
            and pieces[at][0] in words.articles
        ):
            close = next(
                (n for n in range(at + 1, len(pieces)) if pieces[n][1]), None
            )
            found |= set(range(at, close)) if close is not None else set()
    return found


def _alternatives(
    pieces: Sequence[tuple[str, bool]], aside: Collection[int], words: Words
) -> set[int]:
    """Return the further words of "speak, read or write": one of them is enough."""
    found: set[int] = set()
    for at, (word, _) in enumerate(pieces):
        if word not in words.ors:
            continue
        after = at + 1
        while after < len(pieces) and pieces[after][0] in words.stop:
            after += 1
        found |= {after}
        before = at - 1
        while before > 0 and pieces[before][1] and before - 1 not in aside:
            found.add(before)
            before -= 1
    return found


def _attached(
    said: Sequence[str], names: Sequence[tuple[str, int, int]], words: Words
) -> set[int]:
    """Return the words of a kind that stand in front of a name: "the political organisation X" is
    X.
    """
    found: set[int] = set()
    for _, first, _ in names:
        at = first - 1
        while (
            at >= 0
            and words.kinds.get(said[first - 1])
            and said[at] not in words.stop
        ):
            found.add(at)
            at -= 1
    return found


def _asked(
    said: Sequence[str], slots: Sequence[Slot], words: Words
) -> tuple[frozenset[str], tuple[int, ...]]:
    """Return the kinds that the question asks for, and the places of the words that name it."""
    for at, word in enumerate(said):
        if word in words.which:
            head = _head(said, at + 1, slots, words)
            kinds = next(
                (slot.kinds for slot in reversed(head) if slot.kinds),
                frozenset(words.asks.get(word, ())),
            )
            return kinds, tuple(slot.at for slot in head)
        if word in words.asks:
            return frozenset(words.asks[word]), ()
    return frozenset(), ()


def _head(
    said: Sequence[str], at: int, slots: Sequence[Slot], words: Words
) -> list[Slot]:
    """Return what "which …" and "what is the …" ask for: the first words that count, as long as
    they stand together.
    """
    by_place = {slot.at: slot for slot in slots if not slot.proper}
    while at < len(said) and (
        said[at] in words.stop or said[at] in words.me or said[at] in words.us
    ):
        at += 1
    found = []
    while at in by_place:
        found.append(by_place[at])
        at += 1
    return found


@lru_cache(maxsize=256)
def _slipped(word: str, vocabulary: tuple[str, ...]) -> str:
    """Return the known word that *word* is but for one letter, or for two that changed places; else
    itself.
    """
    for other in vocabulary:
        if (
            other[0] == word[0]
            and len(other) >= _TYPED
            and abs(len(other) - len(word)) < 2
            and _one_apart(word, other)
        ):
            return other
    return word


def _one_apart(a: str, b: str) -> bool:
    same = next(
        (n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y),
        min(len(a), len(b)),
    )
    rest, other = a[same:], b[same:]
    swapped = rest[:2] == other[1::-1] and len(rest) > 1 and len(other) > 1
    return (
        rest[1:] == other[1:]
        or rest[1:] == other
        or rest == other[1:]
        or (swapped and rest[2:] == other[2:])
    )
