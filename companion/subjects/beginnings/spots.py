"""Find the things that a note names, by how a language uses their names. Pure.

A name has a capital within a sentence; a thing of the teller's follows a determiner and ends what
it begins ("the boiler is", "my dentist."), or is the first that a note says ("tax return: asked").
One of several ("a meeting") is no single thing, and neither is a time.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from companion.language.names.name_forms import name_forms
from companion.language.sentences import (
    Token,
    Words,
    blank_markup,
    find_sentences,
    tokenize,
)
from companion.subjects.beginnings.numbered import find_numbered
from companion.subjects.beginnings.thing_words import (
    READ,
    SURE,
    ThingWords,
    find_language,
    find_way,
    is_counted,
    key_of,
    may_be_thing,
    read_thing_words,
)
from companion.subjects.beginnings.topics import find_topic, is_name_by_place
from companion.subjects.mentions.longer_names import is_past_form
from companion.subjects.mentions.opening import begins_with_company
from companion.subjects.words import MANY_LISTED, count_listed

_LONGEST_NAME = 3  # words
_REACH = 3  # words behind a determiner

#: how a word was used: as a name, as a known thing ("the"), as the teller's own ("my"), as one of
#: several ("a"), as the first word of a sentence, which may be anything, as one that a note begins
#: with in small letters, as the label of a note ("bike: the brake squeaks"), or as its topic
Use = Literal["name", "known", "own", "one", "first", "bare", "label", "topic"]


class Spot(NamedTuple):
    """A thing that a note names."""

    key: str  # `links.title_key` of its plain form
    form: str  # as it stands
    use: Use
    weight: int  # how surely it is a thing: `SURE`, 1 where it may be one, or 0
    way: str = ""  # the preposition that leads to it: "in" of "in the studio" and "im Studio"
    opens: bool = False  # a sentence begins with that preposition


def find_spots(text: str, subjects: Iterable[str] = ()) -> tuple[Spot, ...]:
    """Return the things that a note names, each once for each use.

    *subjects* are those of the claims that were read from it. A note that lists many things is
    about none of them.
    """
    if count_listed(text[:READ]) >= MANY_LISTED:
        return ()
    plain = blank_markup(text[:READ])
    language = find_language(plain)
    words = read_thing_words(language or "en")
    if language is None:
        # too few little words to tell: names show by their capitals
        words = words._replace(determiners=frozenset())
    spots: list[Spot] = []
    later: list[Spot] = []
    for start, end in find_sentences(plain):
        tokens = tokenize(plain, start, end)
        if plain[:start].strip():
            later += _spots_of_sentence(tokens, plain, words)
            continue
        spots += _spots_of_beginning(tokens, plain, words)
        spots += _spots_of_label(tokens, plain, words)
        spots += _spots_of_topic(tokens, plain, words)
        spots += _spots_of_sentence(tokens, plain, words)
    for subject in subjects:
        later += _spots_of_subject(subject, words)
    if begins_with_company(plain):
        # what has no owner there is of whom the teller was with
        later = [spot for spot in later if spot.use != "known"]
    return tuple(dict.fromkeys([*spots, *later]))


def _spots_of_sentence(
    tokens: Words, text: str, words: ThingWords
) -> Iterable[Spot]:
    yield from _find_names(tokens, text, words)
    for thing, is_sure in find_numbered(tokens, text, words):
        use: Use = "name" if is_sure else "bare"
        yield _spot_of_words(thing, use, SURE if is_sure else 0)
    for at, token in enumerate(tokens):
        if token.low in words.determiners:
            way, opens = find_way(tokens, at, words)
            for spot in _find_thing(tokens, at, text, words):
                if not way or spot.form.lower() not in words.adverbial:
                    yield spot._replace(way=way, opens=opens)


def _spots_of_beginning(
    tokens: Words, text: str, words: ThingWords
) -> Iterable[Spot]:
    """Yield what a note may begin with as its topic, without a determiner: "tax return: asked"."""
    if words.nouns_have_capitals or not tokens:
        return
    if not may_be_thing(tokens[0], words):
        return
    if tokens[0].text.islower():
        yield _spot_of_words(tokens[:1], "bare", 1)
    if len(tokens) < 2 or not tokens[1].text.islower():
        return
    adjoins = text[tokens[0].end : tokens[1].start] == " "
    if adjoins and may_be_thing(tokens[1], words):
        yield _spot_of_words(tokens[:2], "bare", 1)


def _spots_of_label(
    tokens: Words, text: str, words: ThingWords
) -> Iterable[Spot]:
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
    if all(may_be_thing(token, words) for token in label):
        yield _spot_of_words(label, "label", SURE)


def _spots_of_topic(
    tokens: Words, text: str, words: ThingWords
) -> Iterable[Spot]:
    """Yield what a note names first, and says something of: "Volleyball fällt aus"."""
    topic = find_topic(tokens, text, words)
    if topic is not None:
        yield _spot_of_words(tokens[: topic.length], topic.use, topic.weight)


def _find_names(tokens: Words, text: str, words: ThingWords) -> Iterable[Spot]:
    """Yield the names of a sentence: words with a capital behind no determiner."""
    at = 0
    while at < len(tokens):
        if _is_title(tokens, at, text, words):
            at += 1
            continue
        length = _name_length(tokens, at, text, words)
        is_none = _follows_determiner(tokens, at, words)
        if not length or is_none or is_counted(tokens, at, text, words):
            at += max(length, 1)
            continue
        yield from _spots_of_name(tokens, at, length, words)
        at += length


def _spots_of_name(
    tokens: Words, at: int, length: int, words: ThingWords
) -> Iterable[Spot]:
    """Yield a name, its first word, and what follows a first word that may be no name."""
    stop = at + length
    is_known = _is_known_name(tokens, at, stop, words)
    use: Use = "name"
    if at == 0 and not (is_known or _follows_title(tokens, at, words)):
        use = "first"
    weight = _weigh_name(tokens, at, use, words, is_known=is_known)
    yield _spot_of_words(tokens[at:stop], use, weight)
    if length == 1:
        may_act = use == "first" and not words.nouns_have_capitals
        if may_act and _does(tokens, stop):
            yield _spot_of_words(tokens[at:stop], "bare", 0)
        return
    yield _spot_of_words(tokens[at : at + 1], use, weight)
    if at == 0:
        yield from _spots_behind_first(tokens[:stop])


def _spots_behind_first(name: Words) -> Iterable[Spot]:
    """Yield what follows the first word of a note, which may be none of the name."""
    yield _spot_of_words(name[1:], "name", SURE)
    if len(name) > 2:
        yield _spot_of_words(name[1:2], "name", SURE)


def _is_known_name(
    tokens: Words, at: int, stop: int, words: ThingWords
) -> bool:
    """Tell whether what stands beside the words from *at* to *stop* shows that they are a name."""
    if _follows_title(tokens, at, words):
        return True
    if at == 0:
        return _owns(tokens, stop, words) or _acts(tokens, stop, words)
    # "Annas Geburtstag": it is Anna's
    return _owns(tokens, stop, words) and not _owns(tokens, at, words)


def _weigh_name(
    tokens: Words, at: int, use: Use, words: ThingWords, *, is_known: bool
) -> int:
    """Return how surely a name at *at* is one."""
    if use != "name":
        return 1
    if is_known:
        return SURE
    # of German nouns without a determiner, what owns something is a name
    if words.nouns_have_capitals:
        return 1
    is_passing = at > 0 and tokens[at - 1].low in words.passing
    return 1 if is_passing else SURE


def _name_length(tokens: Words, at: int, text: str, words: ThingWords) -> int:
    """Return how many words from *at* on are a name; 0 for none."""
    length = 0
    for token in tokens[at : at + _LONGEST_NAME]:
        if length and text[tokens[at + length - 1].end : token.start] != " ":
            break
        may_be = may_be_thing(token, words)
        may_be = may_be or is_name_by_place(tokens, at + length, words)
        if not token.text[:1].isupper() or not may_be:
            break
        if token.text.isupper() and len(token.text) > 5:
            break  # shouted
        length += 1
        if words.nouns_have_capitals:
            break
    return length


def _follows_determiner(tokens: Words, at: int, words: ThingWords) -> bool:
    """Tell whether the word at *at* belongs to a determiner before it."""
    if not words.nouns_have_capitals:
        return at > 0 and tokens[at - 1].low in words.determiners
    for token in reversed(tokens[max(0, at - _REACH + 1) : at]):
        if token.low in words.determiners:
            return True
        if not token.text.islower() or token.low in words.function:
            return False
    return False


def _owns(tokens: Words, at: int, words: ThingWords) -> bool:
    """Tell whether what ends before *at* has a genitive, and what it owns follows."""
    if at < len(tokens) and tokens[at].low == "'s":
        return at + 1 < len(tokens)
    if not words.nouns_have_capitals or at >= len(tokens) or at < 1:
        return False
    has_ending = tokens[at - 1].low.endswith("s")
    return has_ending and tokens[at].text[:1].isupper()


def _is_title(tokens: Words, at: int, text: str, words: ThingWords) -> bool:
    """Tell whether the word at *at* is a title before a name: "Dr. Klein", "Frau Vogt"."""
    if tokens[at].low not in words.titles or at + 1 >= len(tokens):
        return False
    following = tokens[at + 1]
    is_name = following.text[:1].isupper()
    return is_name and text[tokens[at].end : following.start] in (" ", ". ")


def _follows_title(tokens: Words, at: int, words: ThingWords) -> bool:
    """Tell whether a title stands right before, or a German noun: "Dr. Kolb", "Kunde Meyer"."""
    if at < 1:
        return False
    before = tokens[at - 1]
    is_title = before.low in words.titles
    if is_title or not words.nouns_have_capitals:
        return is_title
    is_noun = before.text[:1].isupper() and may_be_thing(before, words)
    return is_noun and not before.low.endswith("s")


def _acts(tokens: Words, at: int, words: ThingWords) -> bool:
    """Tell whether a finite verb follows what begins a sentence and ends before *at*."""
    return at < len(tokens) and tokens[at].low in words.finite


def _does(tokens: Words, at: int) -> bool:
    """Tell whether what ends before *at* seems to do something: "Starter survived"."""
    if at >= len(tokens) or not tokens[at].text.islower():
        return False
    return is_past_form(tokens[at].low) or _may_be_verb(tokens[at])


def _find_thing(
    tokens: Words, at: int, text: str, words: ThingWords
) -> Iterable[Spot]:
    """Yield the thing behind the determiner at *at*: the last of the words that belong to it."""
    start = _skip_timely(tokens, at, text, words)
    end = min(at + 1 + _REACH, len(tokens))
    last = _find_last_word(tokens, range(start + 1, end), text, words)
    if last == start:
        return
    head = tokens[last]
    if words.nouns_have_capitals and not head.text[:1].isupper():
        return
    if tokens[at].low in words.negatives:
        # "no band practice" tells nothing of whether there is one
        yield _spot_of_words(tokens[start + 1 : last + 1], "bare", 0)
        return
    use = _use_of(tokens[at], words)
    weight = _weigh_place(tokens, at, words)
    if not words.nouns_have_capitals and last > start + 1:
        # "the boiler pressure", "the boiler broke": each of the words may be the thing
        yield _spot_of_words([head], use, 1)
        yield from _spots_of_parts(tokens, (at, start, last), use, words)
        return
    follows = tokens[last + 1].low if last + 1 < len(tokens) else ""
    if use == "known" and follows in words.prepositions:
        # "the meeting with the bank" may be one of several
        weight = 0
    yield _spot_of_words([head], use, weight)


def _skip_timely(tokens: Words, at: int, text: str, words: ThingWords) -> int:
    """Return the place before the thing behind the determiner at *at*: "the new car" is the car."""
    following = tokens[at + 1 : at + 2]
    if not following or following[0].low not in words.timely:
        return at
    return at + 1 if text[tokens[at].end : following[0].start] == " " else at


def _find_last_word(
    tokens: Words, places: range, text: str, words: ThingWords
) -> int:
    """Return the last of *places* whose word belongs to a determiner; the one before them where
    none does.
    """
    last = places.start - 1
    for place in places:
        token = tokens[place]
        if text[tokens[place - 1].end : token.start] != " ":
            break
        if may_be_thing(token, words):
            last = place
            if words.nouns_have_capitals and token.text[:1].isupper():
                break
        elif not _begins_compound(tokens, place, text, words):
            break
    return last


def _use_of(determiner: Token, words: ThingWords) -> Use:
    """Return how a thing behind *determiner* is used."""
    if determiner.low in words.possessives:
        return "own"
    return "one" if determiner.low in words.indefinite else "known"


def _spots_of_parts(
    tokens: Words, places: tuple[int, int, int], use: Use, words: ThingWords
) -> Iterable[Spot]:
    """Yield the first words behind a determiner: *places* are those of the determiner, of what
    stands before the thing, and of its last word.
    """
    at, start, last = places
    weight = _weigh_place(tokens, at, words)
    for stop in range(start + 2, min(last, start + 2) + 2):
        part = tokens[start + 1 : stop]
        if part[-1].low in words.times:
            continue
        is_all = stop > last
        if at == 0 and is_all and _ends_as_verb(tokens, part, words):
            yield _spot_of_words(part, use, 0)
        elif is_all or _may_be_verb(tokens[stop]):
            yield _spot_of_words(part, use, weight)
        else:
            yield _spot_of_words(part, use, int(at == 0))


def _begins_compound(
    tokens: Words, at: int, text: str, words: ThingWords
) -> bool:
    """Tell whether a word for a time belongs to the thing behind it: "the night shift"."""
    low = tokens[at].low
    if words.nouns_have_capitals or words.times.isdisjoint(name_forms(low)):
        return False
    if low in words.function or at + 1 >= len(tokens):
        return False
    following = tokens[at + 1]
    if text[tokens[at].end : following.start] != " ":
        return False
    is_one = following.text.islower() and may_be_thing(following, words)
    return is_one and not low.endswith("s")


def _weigh_place(tokens: Words, at: int, words: ThingWords) -> int:
    """Return how surely what follows the determiner at *at* is a thing that is spoken of.

    "In the morning" says when.
    """
    if tokens[at].low in words.possessives:
        return SURE
    way, _ = find_way(tokens, at, words)
    return 1 if way else SURE


def _may_be_verb(token: Token) -> bool:
    """Tell whether a word may be what a thing does: "leaks", "needs"."""
    return token.low.endswith("s") and not token.low.endswith("ss")


def _ends_as_verb(tokens: Words, part: Words, words: ThingWords) -> bool:
    """Tell whether *part*, a subject, ends with what it does: "the job starts in May".

    "The garden tools are old" has its verb behind it.
    """
    if len(part) < 2 or not _may_be_verb(part[-1]):
        return False
    behind = tokens.index(part[-1]) + 1
    return behind >= len(tokens) or tokens[behind].low not in words.finite


def _spot_of_words(tokens: Sequence[Token], use: Use, weight: int) -> Spot:
    form = _plain(" ".join(token.text for token in tokens))
    return Spot(key_of(form), form, use, weight)


def _spots_of_subject(subject: str, words: ThingWords) -> Iterable[Spot]:
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
        may_be_thing(token, words) for token in tokens
    ):
        return
    yield _spot_of_words(tokens, use, SURE)


def _plain(form: str) -> str:
    return form.removesuffix("'s").removesuffix("\u2019s").rstrip("'\u2019")
