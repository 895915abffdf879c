"""Take a question apart: whom it names, which words an answer must cover, and of what kind it is.

Each word that an answer should cover is a slot. Words that say nothing have none. The words of
another name, of kinds and of emphasis ("the well-known group") count where a claim says them, and
are not missed where none does.
"""

import unicodedata
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from companion.answers.words import Words
from companion.language.words.genitives import ARTICLES, find_nominative
from companion.patterns import lazy
from companion.tuples import NamedTuple

ME, US = "me", "us"  # what keys call who tells
LONGEST = 10  # words of the longest name
_SHORT = 3  # letters that a name in a genitive has at least
_WORD = lazy(r"[^\W_]+(?:'[^\W\d_]+)?")
_PIECE = lazy(r"[^\W_]+(?:'[^\W\d_]+)?|[,;()]")
_PARTICIPLE = lazy(r"ge\w{3,}t")  # regular, in verb-second languages

# names -> those of whom anything was told
Known = Callable[[Sequence[str]], Collection[str]]


class Slot(NamedTuple):
    """A word of the question that an answer should cover."""

    at: int  # its place among the words
    word: str
    means: frozenset[str]
    kinds: frozenset[str]
    owed: bool  # no chain answers without it
    proper: bool  # a name: values may cover it


# (name, first word, end)
Name = tuple[str, int, int]


class Question(NamedTuple):
    """A question taken apart."""

    said: tuple[str, ...]  # its words, without punctuation
    names: tuple[Name, ...]  # of whom something was told
    owners: frozenset[int]  # the places of words like "Anna's"
    slots: tuple[Slot, ...]
    kinds: frozenset[str]  # of which kind an answer must be; none: any
    # the places of the words of which the last step must cover one; none: any
    head: tuple[int, ...]
    hourly: bool = False  # it asks at what time of the day

    @property
    def named(self) -> frozenset[int]:
        """The places of the words of names."""
        return _places_of_names(self.names)


def read_question(question: str, known: Known, words: Words) -> Question:
    """Return *question* taken apart; *known* tells which names anything was told of."""
    pieces = _split_pieces(question, words)
    said = tuple(piece.word for piece in pieces)
    names = _find_names(said, known, words)
    named = _places_of_names(names)
    excused = _places_of_asides(pieces, names, words)
    excused |= _places_of_alternatives(pieces, excused, words)
    excused |= _places_of_attributes(said, names, words)
    slots = []
    asking = _place_of_asking(said, words)
    for at, word in enumerate(said):
        opens = at < asking and word in words.opening
        if not opens and not _says_nothing(word, words):
            slots.append(_make_slot(at, word, at in named, excused, words))
    slots = _narrow_compounds(said, slots, words)
    slots = _owe_last(said, slots, words)
    owners = _places_of_owners(question, said, names)
    slots = _owe_possessed(slots, owners)
    kinds, head = _what_is_asked(said, slots, words)
    return Question(said, names, owners, tuple(slots), kinds, head)


def plain(said: str) -> str:
    """Return *said* without case and accents."""
    low = unicodedata.normalize("NFKD", said.replace("\u2019", "'").casefold())
    return "".join(char for char in low if not unicodedata.combining(char))


class _Piece(NamedTuple):
    """One word of a question."""

    word: str
    after_break: bool  # a comma or a bracket stands before it


def _split_pieces(question: str, words: Words) -> list[_Piece]:
    """Return the words of *question*; a genitive loses its "'s", and "the user's" becomes "me"."""
    pieces: list[_Piece] = []
    after_break = False
    for text in _PIECE.findall(plain(question)):
        if text in ",;()":
            after_break = True
            continue
        word = text.removesuffix("'s")
        if word != text and word in words.called:
            word = ME
        pieces.append(_Piece(word, after_break))
        after_break = False
    pieces = _without_use_to(pieces, words)
    if len(pieces) > 2 and pieces[1].word in words.has:
        last = pieces[-1]
        pieces[-1] = last._replace(word=_without_prefix(last.word, words))
    return pieces


def _without_use_to(pieces: list[_Piece], words: Words) -> list[_Piece]:
    """Return *pieces* without the "use to" of "Where did Harriet use to work?"."""
    for at in range(2, len(pieces) - 2):
        said = (pieces[at].word, pieces[at + 1].word)
        if said == ("use", "to") and pieces[1].word in words.dos:
            return [*pieces[:at], *pieces[at + 2 :]]
    return pieces


def _without_prefix(participle: str, words: Words) -> str:
    """Return "kostet" of "gekostet", as claims in the present have it; a word with a meaning of its
    own ("gehört") stays.
    """
    if not words.turned or participle in words.concepts:
        return participle
    if not _PARTICIPLE.fullmatch(participle):
        return participle
    return participle.removeprefix("ge")


def _places_of_owners(
    question: str, said: Sequence[str], names: Sequence[Name]
) -> frozenset[int]:
    """Return the places of words in a genitive: "Anna's", and "Annas" where Anna is named."""
    places = set()
    for at, word in enumerate(_WORD.findall(plain(question))):
        if word.endswith("'s"):
            places.add(at)
    for name, _, end in names:
        if said[end - 1] == f"{name.rpartition(' ')[2]}s":
            places.add(end - 1)
    return frozenset(places)


# -- whom the question names -----------------------------------------------------------------------

# (first word, number of words)
_Place = tuple[int, int]


def _places_of_names(names: Sequence[Name]) -> frozenset[int]:
    return frozenset(at for _, first, end in names for at in range(first, end))


def _find_names(
    said: Sequence[str], known: Known, words: Words
) -> tuple[Name, ...]:
    """Return the subjects that the question names, the longest names first."""
    grams = _list_grams(said)
    told = set(known(sorted({*grams.values(), ME, US})))
    owners = _find_bare_genitives(said, grams, told, known, words)
    grams |= owners
    told |= set(owners.values())
    names: list[Name] = []
    used: set[int] = set()
    for (first, count), gram in grams.items():
        end = first + count
        places = set(range(first, end))
        if gram not in told or places <= used:
            continue
        if all(_is_no_name(word, words) for word in said[first:end]):
            continue
        names.append((gram, first, end))
        used |= places
    return (*names, *_names_of_asker(said, names, told, words))


def _list_grams(said: Sequence[str]) -> dict[_Place, str]:
    """Return every run of up to LONGEST words, the longest first."""
    grams: dict[_Place, str] = {}
    for count in range(LONGEST, 0, -1):
        for first in range(len(said) - count + 1):
            grams[first, count] = " ".join(said[first : first + count])
    return grams


def _is_no_name(word: str, words: Words) -> bool:
    return word in words.stop or words.is_person(word)


def _find_bare_genitives(
    said: Sequence[str],
    grams: Mapping[_Place, str],
    told: Collection[str],
    known: Known,
    words: Words,
) -> dict[_Place, str]:
    """Return whose names stand in a genitive without an apostrophe: "Annas Zahnarzt", "die Nummer
    des Arztes".
    """
    bare: dict[_Place, str] = {}
    for place, gram in grams.items():
        name = _read_genitive(place, gram, said, words)
        if name is not None and gram not in told:
            bare[place] = name
    if not bare:
        return {}
    owners = known(sorted(set(bare.values())))
    return {place: name for place, name in bare.items() if name in owners}


def _read_genitive(
    place: _Place, gram: str, said: Sequence[str], words: Words
) -> str | None:
    """Return the name of which *gram* may be the genitive, by the words around its *place*."""
    if not gram.endswith("s") or len(gram) <= _SHORT:
        return None
    first, count = place
    if first and said[first - 1] in ARTICLES:
        return find_nominative(gram)
    end = first + count
    if end < len(said) and said[end] not in words.stop:
        return gram[:-1]
    return None


def _names_of_asker(
    said: Sequence[str],
    names: Sequence[Name],
    told: Collection[str],
    words: Words,
) -> Iterator[Name]:
    """Yield whom "my" and "our" speak of: "my office" may be told of by itself, as something of
    mine, or as ours.
    """
    inside: set[int] = set()
    for _, first, end in names:
        # "my" of the name "my office" may still speak of the asker
        start = first + 1 if end - first > 1 else first
        inside.update(range(start, end))
    for at, word in enumerate(said):
        if at in inside or not words.is_person(word):
            continue
        if word in words.me:
            own, other = ME, US
        else:
            own, other = US, ME
        yield own, at, at + 1
        if other in told:
            yield other, at, at + 1


# -- the words that an answer should cover ---------------------------------------------------------


def _says_nothing(word: str, words: Words) -> bool:
    if word in words.stop or words.is_person(word):
        return True
    return word in words.ors or word in words.ands


def _place_of_asking(said: Sequence[str], words: Words) -> int:
    """Return the place of the word that asks; that behind all words where none does."""
    for at, word in enumerate(said):
        if word in words.asks or word in words.which:
            return at
    return len(said)


def _make_slot(
    at: int, word: str, named: bool, excused: Collection[int], words: Words
) -> Slot:
    """Return the slot of *word*; *named*: it is part of a name; no chain owes what is *excused*."""
    kinds = words.kinds.get(word) or words.kinds.get(words.stem(word)) or ()
    proper = named or word.isdigit()
    return Slot(
        at,
        word,
        words.meanings(word, proper=proper, plainly=word in words.weak),
        frozenset(kinds),
        at not in excused and not _may_be_missed(word, words),
        proper,
    )


def _narrow_compounds(
    said: Sequence[str], slots: Sequence[Slot], words: Words
) -> list[Slot]:
    """Return *slots* with "head of state" and its like as one matter: both words mean what they
    share, and the second names no kind of thing.
    """
    by_place = {slot.at: slot for slot in slots}
    for slot in slots:
        first, second = by_place[slot.at], by_place.get(slot.at + 2)
        if second is None or said[slot.at + 1] not in words.of:
            continue
        shared = first.means & second.means
        if shared and not first.proper and not second.proper:
            by_place[first.at] = first._replace(means=shared)
            by_place[second.at] = second._replace(
                means=shared, kinds=frozenset()
            )
    return list(by_place.values())


def _owe_last(
    said: Sequence[str], slots: Sequence[Slot], words: Words
) -> list[Slot]:
    """Return *slots* with the last one owed before a preposition that ends the question: "what is
    the author of X famous for?" asks for that, and not for the author.
    """
    at = _place_before_stranded(said, words)
    return [
        slot._replace(owed=True) if slot.at == at else slot for slot in slots
    ]


def _owe_possessed(
    slots: Sequence[Slot], owners: Collection[int]
) -> list[Slot]:
    """Return *slots* with the word behind "Anna's" owed, where it says all that is asked of her."""
    for slot in slots:
        is_owed = slot.owed and not slot.proper
        if is_owed and slot.at - 1 not in owners:
            return list(slots)
    return [
        slot._replace(owed=True) if slot.at - 1 in owners else slot
        for slot in slots
    ]


def _place_before_stranded(said: Sequence[str], words: Words) -> int | None:
    """Return the place of "famous" in a question that ends with "famous for"."""
    if len(said) < 2 or said[-1] not in words.between:
        return None
    at = len(said) - 2
    return at if said[at] in words.said_for else None


def _may_be_missed(word: str, words: Words) -> bool:
    """Tell whether an answer may leave *word* out: a weak word, or an adverb in "-ly"."""
    if word in words.weak:
        return True
    if word.endswith("ly") and word not in words.past:
        return True
    stem = words.stem(word)
    return any(stem == words.stem(weak) for weak in words.weak)


def _places_of_asides(
    pieces: Sequence[_Piece], names: Sequence[Name], words: Words
) -> set[int]:
    """Return the words of "X, a kind of thing, …": what is said between commas behind a name."""
    places: set[int] = set()
    for _, _, end in names:
        if end == len(pieces) or not pieces[end].after_break:
            continue
        if pieces[end].word not in words.articles:
            continue
        for close in range(end + 1, len(pieces)):
            if pieces[close].after_break:
                places.update(range(end, close))
                break
    return places


def _places_of_alternatives(
    pieces: Sequence[_Piece], asides: Collection[int], words: Words
) -> set[int]:
    """Return the further words of "speak, read or write": one of them is enough."""
    places: set[int] = set()
    for at, piece in enumerate(pieces):
        if piece.word not in words.ors:
            continue
        after = at + 1
        while after < len(pieces) and pieces[after].word in words.stop:
            after += 1
        places.add(after)
        before = at - 1
        while before > 0 and pieces[before].after_break:
            if before - 1 in asides:
                break
            places.add(before)
            before -= 1
    return places


def _places_of_attributes(
    said: Sequence[str], names: Sequence[Name], words: Words
) -> set[int]:
    """Return the words of a kind in front of a name: "the political organisation X" is X."""
    places: set[int] = set()
    for _, first, _ in names:
        at = first - 1
        if at < 0 or not words.kinds.get(said[at]):
            continue
        while at >= 0 and said[at] not in words.stop:
            places.add(at)
            at -= 1
    return places


# -- what is asked for -----------------------------------------------------------------------------


def _what_is_asked(
    said: Sequence[str], slots: Sequence[Slot], words: Words
) -> tuple[frozenset[str], tuple[int, ...]]:
    """Return the kinds that the question asks for, and the places of the words that name it."""
    last = _place_before_stranded(said, words)
    for at, word in enumerate(said):
        if word in words.which:
            if last is not None and said[at + 1] in words.identity:
                return frozenset(), (last,)
            head = _find_head(said, at + 1, slots, words)
            kinds = _kinds_of_head(head) or frozenset(words.asks.get(word, ()))
            return kinds, tuple(slot.at for slot in head)
        if word in words.asks:
            return frozenset(words.asks[word]), ()
    return frozenset(), ()


def _find_head(
    said: Sequence[str], at: int, slots: Sequence[Slot], words: Words
) -> list[Slot]:
    """Return what "which …" and "what is the …" ask for: the first words from *at* that count, as
    long as they stand together.
    """
    by_place = {slot.at: slot for slot in slots if not slot.proper}
    while at < len(said) and _is_no_name(said[at], words):
        at += 1
    head = []
    while at in by_place:
        head.append(by_place[at])
        at += 1
    return head


def _kinds_of_head(head: Sequence[Slot]) -> frozenset[str]:
    """Return the kinds of the last word of *head* that has any."""
    for slot in reversed(head):
        if slot.kinds:
            return slot.kinds
    return frozenset()
