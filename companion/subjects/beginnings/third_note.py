"""Find the things that a note names, and decide which of them get a page. Pure.

A thing gets a page at the third note on two days that names it. Names are found by how a language
uses them, with no list of things: a name has a capital within a sentence; a thing of the teller's
follows a determiner and ends what it begins ("the boiler is", "my dentist."). What notes speak of
as one of several ("a meeting") is no single thing, and neither is a time.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from companion.language.detect import (
    LANGUAGES,
    function_words,
    language_of,
    read_language_data,
)
from companion.language.name_forms import name_forms
from companion.language.roles import DATA as WORDS
from companion.language.sentences import (
    Token,
    Words,
    blank_markup,
    find_sentences,
    tokenize,
)
from companion.language.word_kinds import read_word_kinds
from companion.pages import links

# rules that decide otherwise than before have another version
VERSION = "third-note-2"
# notes that must name a thing, and the days on which they were told
NOTES = 3
DAYS = 2
# blocks that a page begins with: what other pages of tonight gather is not counted
OWN = 2
# notes that must speak of a thing as one that is known ("the boiler"), or of a name as a name
CERTAIN = 2
SURE = 2
# what the weights of a thing add up to, over its notes: of two sure ones, or one and two others
ENOUGH = 4
# characters of a note in which things are looked for
READ = 2_000
_SHORTEST = 3  # letters
_LONGEST_NAME = 3  # words
_REACH = 3  # words behind a determiner

# a link that a note begins with, and that something follows; "!" would show a picture
_LINK_FIRST = re.compile(
    r"\s*\[\[(?P<target>[^\[\]|#\n]+)(?:\|[^\[\]\n]*)?\]\](?:'s)? +\w"
)
_MAY_BE_NAME = re.compile(r"[^\W\d_][^/\\#^|.:\n]{1,59}")

#: how a word was used: as a name, as a known thing ("the"), as the teller's own thing ("my"), as
#: one of several ("a"), or as the first word of a sentence, which may be anything
Use = Literal["name", "known", "own", "one", "first"]


class Spot(NamedTuple):
    """A thing that a note names."""

    key: str  # `links.title_key` of its plain form
    form: str  # as it stands
    use: Use
    weight: int  # how surely it is a thing: `SURE`, 1 where it may be one, or 0


class NamingNote(NamedTuple):
    """A note that is about nothing known, with the things that it names."""

    capture: str
    day: str  # of its telling
    told_at: str
    spots: tuple[Spot, ...]
    common: frozenset[str]  # keys of the words that it writes small
    new: bool  # it was told tonight


class Beginning(NamedTuple):
    """A thing that gets a page."""

    key: str
    name: str
    notes: tuple[NamingNote, ...]  # that move to its page
    others: tuple[NamingNote, ...]  # that name it and stand elsewhere


class _Words(NamedTuple):
    """The words of a language by which things are told from others."""

    determiners: frozenset[str]  # and prepositions that hold one: "beim"
    possessives: frozenset[str]
    indefinite: frozenset[str]
    little: frozenset[str]  # words that are no things
    function: frozenset[str]
    finite: frozenset[str]  # verbs that a subject stands before
    times: frozenset[str]
    prepositions: frozenset[str]
    passing: frozenset[str]  # prepositions before what is often said in passing
    nouns_have_capitals: bool


def find_spots(text: str, subjects: Iterable[str] = ()) -> tuple[Spot, ...]:
    """Return the things that a note names, each once for each use.

    *subjects* are those of the claims that were read from it.
    """
    plain = blank_markup(text[:READ])
    language = language_of(plain)
    words = _words_of(language or "en")
    if language is None:
        # too few little words to tell: names show by their capitals
        words = words._replace(determiners=frozenset())
    spots: dict[Spot, None] = {}
    for start, end in find_sentences(plain):
        tokens = tokenize(plain, start, end)
        for spot in _spots_of_sentence(tokens, plain, words):
            spots[spot] = None
    for subject in subjects:
        for spot in _spots_of_subject(subject, words):
            spots[spot] = None
    return tuple(spots)


def list_common_words(text: str) -> frozenset[str]:
    """Return the keys of the words that a note writes small: no name is among them."""
    plain = blank_markup(text[:READ])
    words = tokenize(plain, 0, len(plain))
    return frozenset(_key(word.low) for word in words if word.text.islower())


def choose_beginnings(
    notes: Sequence[NamingNote],
    name: Callable[[Sequence[NamingNote], str], str | None],
) -> list[Beginning]:
    """Return the things that get a page tonight, those that most notes name first.

    *name* gives the title of the page from its notes and the form that they use most; None where
    no page may have it.
    """
    order = {note.capture: place for place, note in enumerate(notes)}
    by_key: dict[str, list[NamingNote]] = {}
    for note in notes:
        for key in dict.fromkeys(spot.key for spot in note.spots):
            by_key.setdefault(key, []).append(note)
    taken: set[str] = set()
    beginnings = []
    for key in sorted(by_key, key=lambda key: _rank(key, by_key[key], order)):
        naming = by_key[key]
        own = [note for note in naming if note.capture not in taken]
        if not _is_thing(key, naming) or not _is_enough(naming, own):
            continue
        title = name(own, _form_of(key, naming))
        if title is None:
            continue
        others = [note for note in naming if note.capture in taken]
        taken.update(note.capture for note in own)
        beginnings.append(Beginning(key, title, tuple(own), tuple(others)))
    return beginnings


def find_link_subject(
    text: str, targets: Sequence[str], subjects: Iterable[str]
) -> str | None:
    """Return the link's target that a note is about: its only one, at its start or what it states.

    A note that only links elsewhere ("see [[Boiler]]") is about nothing there.
    """
    if len(set(targets)) != 1 or not _MAY_BE_NAME.fullmatch(targets[0]):
        return None
    target = targets[0]
    opening = _LINK_FIRST.match(text)
    if opening is not None and opening["target"].strip() == target:
        return target
    key = links.title_key(target)
    if any(links.title_key(subject) == key for subject in subjects):
        return target
    return None


def title_of(form: str) -> str:
    """Return *form* as the title of a page: its first letter is a capital."""
    first = form.partition(" ")[0]
    if first.islower():
        return form[:1].upper() + form[1:]
    return form


def list_keys(spots: Iterable[Spot]) -> list[str]:
    """Return the keys of things that may get a page, each once."""
    return list(dict.fromkeys(spot.key for spot in spots if spot.use != "one"))


def is_enough(notes: int, days: int) -> bool:
    """Tell whether so many *notes* on so many *days* make a page."""
    return notes >= NOTES and days >= DAYS


def _is_enough(naming: Sequence[NamingNote], own: Sequence[NamingNote]) -> bool:
    days = {note.day for note in naming}
    if not is_enough(len(naming), len(days)) or len(own) < OWN:
        return False
    return any(note.new for note in own)


def _is_thing(key: str, naming: Sequence[NamingNote]) -> bool:
    """Tell whether notes speak of *key* as of one thing."""
    weights: list[int] = []
    uses: Counter[Use] = Counter()
    for note in naming:
        own = [spot for spot in note.spots if spot.key == key]
        weights.append(max(spot.weight for spot in own))
        uses.update({spot.use for spot in own})
    sure = weights.count(SURE)
    if not uses["known"] + uses["own"] + uses["one"]:
        is_common = any(key in note.common for note in naming)
        return sure >= CERTAIN and not is_common
    # "the meeting" of one note and "a meeting" of another are two
    bare = uses["name"] + uses["first"]
    is_one = not uses["one"] and bare * 2 <= sure
    return is_one and sure > 0 and sum(weights) >= ENOUGH


def _rank(
    key: str, notes: Sequence[NamingNote], order: Mapping[str, int]
) -> tuple[int, int, int, str]:
    """Order things: those of most notes first, names before others, longer names before parts."""
    certain = 0
    for note in notes:
        certain += any(
            spot.key == key and spot.use == "name" for spot in note.spots
        )
    return -len(notes), -certain, -len(key.split()), key


def _form_of(key: str, notes: Sequence[NamingNote]) -> str:
    """Return how notes write *key* most; a plain form before one with an ending."""
    forms: Counter[str] = Counter()
    for note in notes:
        for spot in note.spots:
            if spot.key == key:
                forms[spot.form] += 1
    return min(forms, key=lambda form: (-forms[form], len(form), form))


# -- sentences -------------------------------------------------------------------------------------


def _spots_of_sentence(
    tokens: Words, text: str, words: _Words
) -> Iterable[Spot]:
    yield from _find_names(tokens, text, words)
    for at, token in enumerate(tokens):
        if token.low in words.determiners:
            yield from _find_thing(tokens, at, text, words)


def _find_names(tokens: Words, text: str, words: _Words) -> Iterable[Spot]:
    """Yield the names of a sentence: words with a capital behind no determiner."""
    at = 0
    while at < len(tokens):
        length = _name_length(tokens, at, text, words)
        if not length or _follows_determiner(tokens, at, words):
            at += max(length, 1)
            continue
        yield from _spots_of_name(tokens, at, length, words)
        at += length


def _spots_of_name(
    tokens: Words, at: int, length: int, words: _Words
) -> Iterable[Spot]:
    """Yield a name, its first word, and what follows a first word that may be no name."""
    stop = at + length
    known = _owns(tokens, stop, words)
    if at == 0:
        known = known or _acts(tokens, stop, words)
    use: Use = "name"
    if at and _owns(tokens, at, words):
        known = False  # "Annas Geburtstag": it is Anna's
    if at == 0 and not known:
        use = "first"
    if _follows_title(tokens, at, words):
        known = True
    # of German nouns without a determiner, what owns something is a name
    certain = use == "name" and (known or not words.nouns_have_capitals)
    if at and tokens[at - 1].low in words.passing and not known:
        certain = False
    weight = SURE if certain else 1
    yield _spot_of_words(tokens[at:stop], use, weight)
    if length > 1:
        yield _spot_of_words(tokens[at : at + 1], use, weight)
    if length > 1 and at == 0:
        yield _spot_of_words(tokens[1:stop], "name", SURE)
        if length > 2:
            yield _spot_of_words(tokens[1:2], "name", SURE)


def _name_length(tokens: Words, at: int, text: str, words: _Words) -> int:
    """Return how many words from *at* on are a name; 0 for none."""
    length = 0
    for token in tokens[at : at + _LONGEST_NAME]:
        if length and text[tokens[at + length - 1].end : token.start] != " ":
            break
        if not token.text[:1].isupper() or not _may_be_thing(token, words):
            break
        if token.text.isupper() and len(token.text) > 5:
            break  # shouted
        length += 1
        if words.nouns_have_capitals:
            break
    return length


def _follows_determiner(tokens: Words, at: int, words: _Words) -> bool:
    """Tell whether the word at *at* belongs to a determiner before it."""
    if not words.nouns_have_capitals:
        return at > 0 and tokens[at - 1].low in words.determiners
    for token in reversed(tokens[max(0, at - _REACH + 1) : at]):
        if token.low in words.determiners:
            return True
        if not token.text.islower() or token.low in words.function:
            return False
    return False


def _owns(tokens: Words, at: int, words: _Words) -> bool:
    """Tell whether what ends before *at* has a genitive, and what it owns follows."""
    if at < len(tokens) and tokens[at].low == "'s":
        return at + 1 < len(tokens)
    if not words.nouns_have_capitals or at >= len(tokens) or at < 1:
        return False
    has_ending = tokens[at - 1].low.endswith("s")
    return has_ending and tokens[at].text[:1].isupper()


def _follows_title(tokens: Words, at: int, words: _Words) -> bool:
    """Tell whether a German noun stands right before: "Frau Kolb", "Kunde Meyer"."""
    if not words.nouns_have_capitals or at < 1:
        return False
    before = tokens[at - 1]
    is_noun = before.text[:1].isupper() and _may_be_thing(before, words)
    return is_noun and not before.low.endswith("s")


def _acts(tokens: Words, at: int, words: _Words) -> bool:
    """Tell whether a finite verb follows what begins a sentence and ends before *at*."""
    return at < len(tokens) and tokens[at].low in words.finite


def _find_thing(
    tokens: Words, at: int, text: str, words: _Words
) -> Iterable[Spot]:
    """Yield the thing behind the determiner at *at*: the last of the words that belong to it."""
    last = at
    for place in range(at + 1, min(at + 1 + _REACH, len(tokens))):
        token = tokens[place]
        adjoins = text[tokens[place - 1].end : token.start] == " "
        if not adjoins or not _may_be_thing(token, words):
            break
        last = place
        if words.nouns_have_capitals and token.text[:1].isupper():
            break
    if last == at:
        return
    head = tokens[last]
    if words.nouns_have_capitals and not head.text[:1].isupper():
        return
    use: Use = "known"
    if tokens[at].low in words.possessives:
        use = "own"
    elif tokens[at].low in words.indefinite:
        use = "one"
    weight = _weigh_place(tokens, at, words)
    follows = tokens[last + 1].low if last + 1 < len(tokens) else ""
    is_whole = words.nouns_have_capitals or last == at + 1
    if is_whole and use == "known" and follows in words.prepositions:
        # "the meeting with the bank" may be one of several
        weight = 0
    if is_whole:
        yield _spot_of_words([head], use, weight)
        return
    # "the boiler pressure", "the boiler broke": each of the words may be the thing
    yield _spot_of_words([head], use, 1)
    for stop in range(at + 2, min(last, at + 2) + 2):
        part = tokens[at + 1 : stop]
        if stop > last or _may_be_verb(tokens[stop]):
            yield _spot_of_words(part, use, weight)
        else:
            yield _spot_of_words(part, use, int(at == 0))


def _weigh_place(tokens: Words, at: int, words: _Words) -> int:
    """Return how surely what follows the determiner at *at* is a thing that is spoken of.

    "In the morning" says when.
    """
    if tokens[at].low in words.possessives:
        return SURE
    if tokens[at].low in words.prepositions:
        return 1
    if at and tokens[at - 1].low in words.prepositions:
        return 1
    return SURE


def _may_be_verb(token: Token) -> bool:
    """Tell whether a word may be what a thing does: "leaks", "needs"."""
    return token.low.endswith("s") and not token.low.endswith("ss")


def _spot_of_words(tokens: Sequence[Token], use: Use, weight: int) -> Spot:
    form = _plain(" ".join(token.text for token in tokens))
    return Spot(_key(form), form, use, weight)


def _spots_of_subject(subject: str, words: _Words) -> Iterable[Spot]:
    """Yield the thing that a claim is of, if a short name or noun says it."""
    plain = " ".join(subject.split())
    tokens = tokenize(plain, 0, len(plain))
    use: Use = "known"
    if tokens and tokens[0].low in words.determiners:
        if tokens[0].low in words.possessives:
            use = "own"
        elif tokens[0].low in words.indefinite:
            return
        tokens = tokens[1:]
    elif tokens and tokens[0].text[:1].isupper():
        use = "name"
    else:
        return
    if not 1 <= len(tokens) <= 2 or not all(
        _may_be_thing(token, words) for token in tokens
    ):
        return
    yield _spot_of_words(tokens, use, SURE)


def _may_be_thing(token: Token, words: _Words) -> bool:
    """Tell whether a word may name a thing: a word of letters that is none of the little ones."""
    low = token.low
    if len(low) < _SHORTEST or not low[0].isalpha() or "'" in low:
        return False
    if low in words.little:
        return False
    return words.times.isdisjoint(name_forms(low))


def _plain(form: str) -> str:
    return form.removesuffix("'s").removesuffix("\u2019s").rstrip("'\u2019")


def _key(form: str) -> str:
    """Return the key of a thing: "boilers" and "boiler" are one."""
    return " ".join(_plain_word(word) for word in links.fold(form).split())


def _plain_word(word: str) -> str:
    shortest = min(name_forms(word), key=lambda form: (len(form), form))
    while shortest != word:
        word = shortest
        shortest = min(name_forms(word), key=lambda form: (len(form), form))
    return word


# -- languages -------------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _words_of(language: str) -> _Words:
    raw = read_language_data(language, "extract")["words"]
    kinds: dict[str, frozenset[str]] = {}
    for kind in ("determiners", "possessives", "articles", "definite"):
        kinds[kind] = frozenset(raw.get(kind, "").split())
    determiners = kinds["determiners"] | kinds["possessives"]
    little = set(function_words()[language])
    for text in raw.values():
        if isinstance(text, str):
            little.update(text.split())
    for name in ("fillers", "classes", "offices"):
        # those that only a reader of claims passes over are things
        little -= set(raw.get(name, "").split()) - set(
            raw.get("fillers", "").split()
        )
    prepositions = frozenset(raw.get("prepositions", "").split())
    indefinite = determiners - kinds["possessives"] - kinds["definite"]
    finite: set[str] = set()
    for kind in ("copulas", "auxiliaries", "modals"):
        finite.update(raw.get(kind, "").split())
    return _Words(
        determiners | _contractions_of(language, prepositions),
        kinds["possessives"],
        indefinite,
        frozenset(little),
        function_words()[language],
        frozenset(finite),
        _times(),
        prepositions,
        prepositions - read_word_kinds(WORDS)["company"],
        nouns_have_capitals=language == "de",
    )


def _contractions_of(
    language: str, prepositions: frozenset[str]
) -> frozenset[str]:
    """Return the prepositions that hold an article: "beim" of "bei", "im" of "in"."""
    if language != "de":
        return frozenset()
    found = set()
    for word in prepositions:
        bare = word[:-1]
        has_ending = word[-1] in "msr"
        if has_ending and not prepositions.isdisjoint({bare, bare + "n"}):
            found.add(word)
    return frozenset(found)


@lru_cache(maxsize=1)
def _times() -> frozenset[str]:
    """Return the words for times in every language: a name is often told in another one."""
    times: set[str] = set()
    for language in LANGUAGES:
        raw = read_language_data(language, "time")
        for kind in ("months", "weekdays", "seasons", "units", "days"):
            for phrase in raw.get(kind, {}):
                times.update(phrase.split())
    return frozenset(times)
