"""Find whether a note turns away from what a page states, in words of its own.

People seldom deny a page in its own words: "The rollers are ruined by spirit, wash them with oil"
speaks against "Ink rollers are washed with white spirit". What counts is a word that the page
states of its matter and that the note denies, replaces, calls wrong or blames for harm. The note
must name the matter beside it. Words meet by their forms and as parts of compounds.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from companion.language.lexicon import Lexicon, lexicon_of
from companion.language.relations.contest_signs import SILENT, Contest
from companion.language.words.compounds import word_likeness
from companion.values.relations import Statement

_MAX_SENTENCES = 12  # of either text, the first that are looked at
_LONGEST = 400  # characters of each, the first that are read
_MAX_WORDS = 40  # of a sentence, the first that are read
_ALIKE = 0.7  # likeness from which two words are of one thing
_SHORTEST = 3  # letters of a word of matter
_REACH = 6  # words before or behind a denial that it reaches
# weight of the matter that is named beside what is rejected: a word of the title has 3, another
# word of the page 1, one that only a neighbouring sentence has .5
_IN_TITLE, _NEXT_TO_IT = 2.0, 0.5
_ENOUGH = 3.0
_BASE, _STEP, _MOST = 0.6, 0.05, 0.9  # strength by weight

_TOKEN = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|[.,;:!?()\u2013\u2014]")


class _Word(NamedTuple):
    text: str  # in lower case
    clause: int  # its number in the sentence
    is_matter: bool  # no little word, no number, no unit


class _Sentence(NamedTuple):
    matter: tuple[str, ...]  # its words of matter
    rejected: tuple[str, ...]  # those of them that it turns away from
    # what is said of something: "spirit" of "are washed with spirit", not "washed"
    complements: frozenset[str]
    numbers: frozenset[str]

    @property
    def upheld(self) -> list[str]:
        """The words of matter that it does not turn away from."""
        return [word for word in self.matter if word not in self.rejected]


def first_sentences(text: str) -> list[str]:
    """Return the first lines of *text*, and of each its first characters."""
    lines = islice(text.splitlines(), _MAX_SENTENCES)
    return [line[:_LONGEST] for line in lines]


def find_rejection(
    page: Statement, note: Statement, stating: Sequence[str], language: str
) -> Contest:
    """Return what *note* turns away from on *page*, `SILENT` where it is nothing.

    The lines of both are sentences; of the note those are looked at that are *stating* something,
    the others only tell what it is about.
    """
    rejecting = [_read(line, language) for line in stating]
    if not any(sentence.rejected for sentence in rejecting):
        return SILENT
    title = _read(page.title or "", language).matter
    lines = first_sentences(page.text)
    beliefs = [_read(line, language) for line in lines]
    denied = [word for belief in beliefs for word in belief.rejected]
    context = _context_of(note, language)
    best = SILENT
    for sentence in rejecting:
        for belief in beliefs:
            sign = _reject(title, belief, denied, sentence, context)
            best = max(best, sign, key=_strength)
    return best


def _context_of(note: Statement, language: str) -> list[str]:
    """Return the words of matter of a note and of its title."""
    words: list[str] = []
    for line in (note.title or "", *first_sentences(note.text)):
        words += _read(line, language).matter
    return words


def _strength(sign: Contest) -> float:
    return sign.strength


def _reject(
    title: Sequence[str],
    belief: _Sentence,
    denied: Sequence[str],
    sentence: _Sentence,
    context: Sequence[str],
) -> Contest:
    """Return the sign that *sentence* turns away from what *belief* states beside its title.

    What any sentence of the page has *denied*, too, they agree on.
    """
    own = [word for word in belief.upheld if not _is_any(word, title)]
    rejected = _keep_alike(own, sentence.rejected)
    if belief.complements.isdisjoint(rejected):
        return SILENT
    if _keep_alike(rejected, denied):
        return SILENT
    # "not channel 5077" says nothing of channel 4021
    if belief.numbers and sentence.numbers - belief.numbers:
        return SILENT
    others = [word for word in belief.matter if word not in rejected]
    matter = [*title, *others]
    said = [word for word in sentence.matter if not _is_any(word, rejected)]
    named = _keep_alike(matter, said)
    beside = set(_keep_alike(matter, context)) - set(named)
    in_title = _keep_alike(title, named)
    weight = _IN_TITLE * len(in_title) + len(named)
    weight += _NEXT_TO_IT * len(beside)
    if weight < _ENOUGH:
        return SILENT
    strength = round(min(_MOST, _BASE + _STEP * weight), 6)
    reason = f"it turns away from it, {len(named)} words of the matter shared"
    return Contest(strength, reason, page_value=frozenset(rejected))


def _keep_alike(words: Iterable[str], others: Sequence[str]) -> list[str]:
    """Return those of *words*, each once, that one of *others* is alike to."""
    return [word for word in dict.fromkeys(words) if _is_any(word, others)]


def _is_any(word: str, others: Iterable[str]) -> bool:
    return any(word_likeness(word, other) >= _ALIKE for other in others)


@lru_cache(maxsize=4096)
def _read(text: str, language: str) -> _Sentence:
    lexicon = lexicon_of(language)
    words = _split(text, lexicon)
    reached = _reached_places(words, lexicon)
    matter = [word.text for word in words if word.is_matter]
    rejected = [words[at].text for at in reached if words[at].is_matter]
    complements = frozenset(_find_complements(words, lexicon))
    numbers = [word.text for word in words if word.text[0].isdigit()]
    return _Sentence(
        tuple(matter), tuple(rejected), complements, frozenset(numbers)
    )


def _find_complements(
    words: Sequence[_Word], lexicon: Lexicon
) -> Iterator[str]:
    """Yield the words of matter behind a little word that is no form of "is", and the last one.

    A little word that the sentence begins with opens what it speaks of: "the Harrow gateway".
    """
    follows = False
    last = ""
    for word in words:
        if word.is_matter:
            last = word.text
            if follows:
                yield word.text
        elif word.text in lexicon.function:
            # what the sentence begins with is what it speaks of
            follows = bool(last) and word.text not in lexicon.copula
    yield last


def _split(text: str, lexicon: Lexicon) -> list[_Word]:
    words: list[_Word] = []
    clause = 0
    for token in _TOKEN.findall(text.casefold().replace("\u2019", "'")):
        if not token[0].isalnum():
            clause += 1
            continue
        if token in lexicon.clause or token in lexicon.instead:
            clause += 1
        for part in _parts(token):
            words.append(_Word(part, clause, _is_matter(part, lexicon)))
    return words[:_MAX_WORDS]


def _parts(token: str) -> list[str]:
    """Return the words of a token: "isn't" is "is" and "not"."""
    if token.endswith("n't"):
        return [part for part in (token[:-3], "not") if part]
    return [part for part in re.split(r"['-]", token) if part]


def _is_matter(word: str, lexicon: Lexicon) -> bool:
    if len(word) < _SHORTEST or word[0].isdigit():
        return False
    if word in lexicon.function or word in lexicon.negators:
        return False
    if word in lexicon.numbers or word in lexicon.ordinals:
        return False
    return word not in lexicon.units and word not in lexicon.months


def _reached_places(words: Sequence[_Word], lexicon: Lexicon) -> list[int]:
    """Return the places of the words that *words* turn away from, in order."""
    reached: set[int] = set()
    for at, word in enumerate(words):
        if word.text in lexicon.negators or word.text in lexicon.avoiding:
            reached.update(_reach(words, at))
        elif word.text in lexicon.blaming:
            reached.update(_clauses_around(words, at))
    return sorted(reached)


def _reach(words: Sequence[_Word], at: int) -> Iterator[int]:
    """Yield the places near *at* in its clause."""
    first = max(0, at - _REACH)
    for place in range(first, min(len(words), at + _REACH)):
        if place != at and words[place].clause == words[at].clause:
            yield place


def _clauses_around(words: Sequence[_Word], at: int) -> Iterator[int]:
    """Yield the places of the clause of *at* and of the one before and behind it."""
    for place, word in enumerate(words):
        if place != at and abs(word.clause - words[at].clause) <= 1:
            yield place
