"""Find the things that a note names, by how a language uses their names. Pure.

A name has a capital within a sentence; a thing of the teller's follows a determiner and ends what
it begins ("the boiler is", "my dentist."), or is the first that a note says ("tax return: asked").
What notes speak of as one of several ("a meeting") is no single thing, and neither is a time.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from companion.language.detect import (
    LANGUAGES,
    function_words,
    language_of,
    read_language_data,
)
from companion.language.names.name_forms import name_forms
from companion.language.sentences import (
    Token,
    Words,
    blank_markup,
    find_sentences,
    tokenize,
)
from companion.language.word_kinds import read_word_kinds
from companion.language.words import roles
from companion.pages import links
from companion.subjects.words import titles_of_persons

# characters of a note in which things are looked for
READ = 2_000
SURE = 2
_SHORTEST = 3  # letters
_LONGEST_NAME = 3  # words
_REACH = 3  # words behind a determiner

#: how a word was used: as a name, as a known thing ("the"), as the teller's own thing ("my"), as
#: one of several ("a"), as the first word of a sentence, which may be anything, as one that a
#: note begins with in small letters, or as the label of a note ("bike: the brake squeaks")
Use = Literal["name", "known", "own", "one", "first", "bare", "label"]


class Spot(NamedTuple):
    """A thing that a note names."""

    key: str  # `links.title_key` of its plain form
    form: str  # as it stands
    use: Use
    weight: int  # how surely it is a thing: `SURE`, 1 where it may be one, or 0


class _Words(NamedTuple):
    """The words of a language by which things are told from others."""

    determiners: frozenset[str]  # and prepositions that hold one: "beim"
    possessives: frozenset[str]
    indefinite: frozenset[str]
    little: frozenset[str]  # words that are no things
    function: frozenset[str]
    finite: frozenset[str]  # verbs that a subject stands before
    times: frozenset[str]
    timely: frozenset[str]  # what things are while they are the latest: "new"
    titles: frozenset[str]  # of persons
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
        if not spots and not plain[:start].strip():
            for spot in _spots_of_beginning(tokens, plain, words):
                spots[spot] = None
            for spot in _spots_of_label(tokens, plain, words):
                spots[spot] = None
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


def _spots_of_sentence(
    tokens: Words, text: str, words: _Words
) -> Iterable[Spot]:
    yield from _find_names(tokens, text, words)
    for at, token in enumerate(tokens):
        if token.low in words.determiners:
            yield from _find_thing(tokens, at, text, words)


def _spots_of_beginning(
    tokens: Words, text: str, words: _Words
) -> Iterable[Spot]:
    """Yield what a note may begin with as its topic, without a determiner: "tax return: asked"."""
    if words.nouns_have_capitals or not tokens:
        return
    if not _may_be_thing(tokens[0], words):
        return
    if tokens[0].text.islower():
        yield _spot_of_words(tokens[:1], "bare", 1)
    if len(tokens) < 2 or not tokens[1].text.islower():
        return
    adjoins = text[tokens[0].end : tokens[1].start] == " "
    if adjoins and _may_be_thing(tokens[1], words):
        yield _spot_of_words(tokens[:2], "bare", 1)


def _spots_of_label(tokens: Words, text: str, words: _Words) -> Iterable[Spot]:
    """Yield what a note puts before a colon to say what it is about: "bike: the brake squeaks"."""
    label: Words = []
    for token in tokens[: _LONGEST_NAME + 1]:
        if token.text == ":":
            break
        label.append(token)
    else:
        return
    if not label or not text[label[-1].end + 1 : label[-1].end + 2].isspace():
        return
    if all(_may_be_thing(token, words) for token in label):
        yield _spot_of_words(label, "label", SURE)


def _find_names(tokens: Words, text: str, words: _Words) -> Iterable[Spot]:
    """Yield the names of a sentence: words with a capital behind no determiner."""
    at = 0
    while at < len(tokens):
        if _is_title(tokens, at, text, words):
            at += 1
            continue
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
    may_act = use == "first" and length == 1 and not words.nouns_have_capitals
    if may_act and _does(tokens, stop):
        yield _spot_of_words(tokens[at:stop], "bare", 0)
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


def _is_title(tokens: Words, at: int, text: str, words: _Words) -> bool:
    """Tell whether the word at *at* is a title before a name: "Dr. Klein", "Frau Vogt"."""
    if tokens[at].low not in words.titles or at + 1 >= len(tokens):
        return False
    following = tokens[at + 1]
    between = text[tokens[at].end : following.start]
    return between in (" ", ". ") and following.text[:1].isupper()


def _follows_title(tokens: Words, at: int, words: _Words) -> bool:
    """Tell whether a title stands right before, or a German noun: "Dr. Kolb", "Kunde Meyer"."""
    if at < 1:
        return False
    if tokens[at - 1].low in words.titles:
        return True
    if not words.nouns_have_capitals:
        return False
    before = tokens[at - 1]
    is_noun = before.text[:1].isupper() and _may_be_thing(before, words)
    return is_noun and not before.low.endswith("s")


def _acts(tokens: Words, at: int, words: _Words) -> bool:
    """Tell whether a finite verb follows what begins a sentence and ends before *at*."""
    return at < len(tokens) and tokens[at].low in words.finite


def _does(tokens: Words, at: int) -> bool:
    """Tell whether what ends before *at* seems to do something: "Starter survived"."""
    if at >= len(tokens) or not tokens[at].text.islower():
        return False
    return tokens[at].low.endswith("ed") or _may_be_verb(tokens[at])


def _find_thing(
    tokens: Words, at: int, text: str, words: _Words
) -> Iterable[Spot]:
    """Yield the thing behind the determiner at *at*: the last of the words that belong to it."""
    start = last = at
    for place in range(at + 1, min(at + 1 + _REACH, len(tokens))):
        token = tokens[place]
        if text[tokens[place - 1].end : token.start] != " ":
            break
        if place == at + 1 and token.low in words.timely:
            start = last = place  # "the new car" is the car
            continue
        if not _may_be_thing(token, words):
            if _begins_compound(tokens, place, text, words):
                continue
            break
        last = place
        if words.nouns_have_capitals and token.text[:1].isupper():
            break
    if last == start:
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
    is_whole = words.nouns_have_capitals or last == start + 1
    if is_whole and use == "known" and follows in words.prepositions:
        # "the meeting with the bank" may be one of several
        weight = 0
    if is_whole:
        yield _spot_of_words([head], use, weight)
        return
    # "the boiler pressure", "the boiler broke": each of the words may be the thing
    yield _spot_of_words([head], use, 1)
    for stop in range(start + 2, min(last, start + 2) + 2):
        part = tokens[start + 1 : stop]
        if part[-1].low in words.times:
            continue
        if at == 0 and stop > last and _ends_as_verb(tokens, part, words):
            yield _spot_of_words(part, use, 0)
        elif stop > last or _may_be_verb(tokens[stop]):
            yield _spot_of_words(part, use, weight)
        else:
            yield _spot_of_words(part, use, int(at == 0))


def _begins_compound(tokens: Words, at: int, text: str, words: _Words) -> bool:
    """Tell whether a word for a time belongs to the thing behind it: "the night shift"."""
    low = tokens[at].low
    if words.nouns_have_capitals or words.times.isdisjoint(name_forms(low)):
        return False
    if low in words.function or at + 1 >= len(tokens):
        return False
    following = tokens[at + 1]
    if text[tokens[at].end : following.start] != " ":
        return False
    is_one = following.text.islower() and _may_be_thing(following, words)
    return is_one and not low.endswith("s")


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


def _ends_as_verb(tokens: Words, part: Words, words: _Words) -> bool:
    """Tell whether *part*, a subject, ends with what it does: "the job starts in May".

    "The garden tools are old" has its verb behind it.
    """
    if len(part) < 2 or not _may_be_verb(part[-1]):
        return False
    behind = tokens.index(part[-1]) + 1
    return behind >= len(tokens) or tokens[behind].low not in words.finite


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
        frozenset(raw.get("timely", "").split()),
        titles_of_persons(),
        prepositions,
        prepositions - read_word_kinds(roles.DATA)["company"],
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
