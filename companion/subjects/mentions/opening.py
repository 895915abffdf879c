"""Tell of whom the first sentence of a note is, and what behind it is theirs.

"Lunch with Anna. The new job starts in May": the job is Anna's, for the note says of nobody else
whose it is. "My job" would be the teller's.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.language.word_kinds import read_word_kinds
from companion.language.words import roles
from companion.subjects.values import Note
from companion.subjects.words import (
    READ,
    Word,
    find_first_sentence,
    list_telling_words,
    read_words,
    silent_words,
    titles_of_persons,
    words_of_kinds,
)

# words of the first sentence that tell something beside the name: "Saw Anna at the bus stop"
_FEW = 3
# words between "the" and a thing: "the new job"
_BETWEEN = 1


class Opening(NamedTuple):
    """The first sentence of a note that has more of them."""

    words: Sequence[Word]  # of the whole note
    end: int  # the place of the first word behind the sentence
    telling: Sequence[str]  # words of the sentence that tell something, folded

    def is_of(self, start: int, end: int) -> bool:
        """Tell whether the sentence says little but the name from *start* to *end*.

        Whom one meets or hears of is no thing ("the car"), and no place that one is at ("in York").
        """
        if end > self.end or not self.words[start].capital:
            return False
        own = {word.key for word in self.words[start:end]}
        others = [word for word in self.telling if word not in own]
        return len(others) <= _FEW and self._leads_to_somebody(start, end)

    def is_theirs(self, start: int) -> bool:
        """Tell whether the thing at *start* stands behind the sentence, and behind "the"."""
        if start < self.end:
            return False
        first = max(self.end, start - _BETWEEN - 1)
        for at in range(start - 1, first - 1, -1):
            if not self.words[at + 1].joined:
                return False
            if self.words[at].key in words_of_kinds("definite"):
                return True
        return False

    def has_company(self) -> bool:
        """Tell whether the sentence says little but with whom its teller was: "Tea with Mira"."""
        for at in range(1, self.end):
            start = at
            while start and self.words[start - 1].key in titles_of_persons():
                start -= 1
            before = self.words[start - 1].key if start else ""
            is_name = self.words[at].key not in silent_words(None)
            if before not in _somebody() or not is_name or self._owns(at):
                continue
            if self.is_of(at, at + 1):
                return True
        return False

    def _owns(self, at: int) -> bool:
        """Tell whether the word at *at* may own what follows: "mit Mamas Namen"."""
        if not self.words[at].key.endswith("s") or at + 1 >= self.end:
            return False
        return self.words[at + 1].joined and self.words[at + 1].capital

    def _leads_to_somebody(self, start: int, end: int) -> bool:
        if not start:
            return True
        before = self.words[start - 1].key
        titles = titles_of_persons()
        if before in titles or self.words[start].key in titles:
            return True
        if before in words_of_kinds("determiners", "possessives", "definite"):
            return False
        if before not in words_of_kinds("prepositions"):
            return True
        is_home = self.words[end - 1].key.endswith("'s")  # "dinner at Ruth's"
        return is_home or before in _somebody()


def read_opening(text: str) -> Opening | None:
    """Return the first sentence of the note *text*; None where it has no other."""
    first = _cut_first(text)
    if len(first) == len(text[:READ].strip()):
        return None
    words = read_words(Note("", text))
    end = len(read_words(Note("", first)))
    if end >= len(words):
        return None
    return Opening(words, end, list_telling_words(first))


def begins_with_company(text: str) -> bool:
    """Tell whether the first sentence of several says little but with whom its teller was."""
    if _somebody().isdisjoint(_cut_first(text).casefold().split()):
        return False
    opening = read_opening(text)
    return opening is not None and opening.has_company()


def _cut_first(text: str) -> str:
    """Return the first sentence of *text*, or its first line where that is shorter."""
    return find_first_sentence(text[:READ]).partition("\n")[0].strip()


def _somebody() -> frozenset[str]:
    """Return the words before whom one is with or meets, or at whose place one is."""
    kinds = read_word_kinds(roles.DATA)
    return kinds["company"] | kinds["visiting"] | kinds["meeting"]
