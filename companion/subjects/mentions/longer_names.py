"""Tell whether the name of a page in a note is, or may be, part of another's name."""

from collections.abc import Sequence
from functools import lru_cache

from companion.language.detect import (
    LANGUAGES,
    language_of,
    read_language_data,
)
from companion.language.lexicon import lexicon_of
from companion.language.names.name_forms import is_form_of
from companion.language.word_kinds import read_word_kinds
from companion.language.words import roles
from companion.pages import links
from companion.subjects.values import Note
from companion.subjects.words import (
    READ,
    Word,
    read_words,
    silent_words,
    titles_of_persons,
    words_of_kinds,
)

# letters with which all forms of an English verb begin: "runs", "running"
_STEM = 2
_VOWELS = frozenset("aeiouy")
# words that say which one of a name is meant: "in the cottage"
_WHICH = 3
# words before a name that say when something was: "after", "after the"
_BEHIND_TIME = 2
# what stands alone behind a name that owns something: "Yildiz' Sohn"
_APOSTROPHES = ("' ", "\u2019 ")
_MARKS = ("'", "\u2019")
# German articles before whose it is
_GENITIVES = frozenset(("der", "des", "eines", "einer"))
# words of what a name is the first part of, and of what follows it: "cleaner wants"
_COMPOUND = 2


def is_of_another(
    words: Sequence[Word], start: int, end: int, language: str | None
) -> bool:
    """Tell whether the word behind a name makes it the name of somebody else.

    A capital letter does ("Sam Cooke"), but not in German, where all nouns have one; and so does
    where one is from ("Ben from the office").
    """
    if end >= len(words) or not words[end].joined:
        return False
    following = words[end]
    if following.key in leaving_words():
        return True
    if language == "de" or not following.capital or not words[start].capital:
        return False
    return following.key not in silent_words(None)


def is_what_is_done(
    words: Sequence[Word], start: int, end: int, language: str | None
) -> bool:
    """Tell whether a name written small says what somebody does: "Run" in "we run late"."""
    if language == "de" or end - start > 1 or words[start].capital:
        return False
    if start == 0 or not words[start].joined:
        return False
    return words[start - 1].key in _doers()


def is_only_done(note: Note, title: str) -> bool:
    """Tell whether all that *note* says of a title of one word is that somebody does it."""
    key = links.title_key(title)
    # all forms of a verb begin alike: most notes need not be read
    if " " in key or key[:_STEM] not in links.fold(note.text[:READ]):
        return False
    words = read_words(note)
    places = [at for at, word in enumerate(words) if is_form_of(word.key, key)]
    language = language_of(note.text[:READ]) if places else None
    return bool(places) and all(
        is_what_is_done(words, at, at + 1, language) for at in places
    )


def may_go_on(
    words: Sequence[Word], start: int, end: int, language: str | None
) -> bool:
    """Tell whether what follows a name may be more of it, or say who or which is meant.

    "Levin-Clubkarten", "Clara (my niece)", "Rob the plumber", "the stove in the cottage", "window
    cleaner", "bottle of red", and in German, where it may be any noun, a word with a capital behind
    a name of one word: "Jonas Kaufmann".
    """
    if end >= len(words):
        return False
    if words[end].before in ("-", " ("):
        return True
    if not words[end].joined:
        return False
    if _begins_sentence(words, start) and _says_which(words, start, end):
        return True
    if language == "de":
        return _goes_on_in_german(words, start, end)
    if language == "en" and _goes_on_in_english(words, start, end):
        return True
    return words[start].capital and _is_definite(words[end])


def _goes_on_in_german(words: Sequence[Word], start: int, end: int) -> bool:
    """Tell whether a noun follows a name, or whose it is: "Fahrdienst der Apotheke"."""
    if _is_before_a_noun(words, start, end):
        return True
    following = words[end + 1 : end + 2]
    if words[end].key not in _GENITIVES or not following:
        return False
    return following[0].joined and following[0].capital


def _goes_on_in_english(words: Sequence[Word], start: int, end: int) -> bool:
    """Tell whether a name begins a compound, or is of a thing of something: "bottle of red"."""
    if words[end].key == "of":
        is_small = not words[end - 1].capital
        # the capital of a note's first word says nothing: "Crate of apples"
        if is_small or (end == 1 and _is_plain_noun(words[end + 1 : end + 2])):
            return True
    return _begins_compound(words, start, end)


def _is_plain_noun(following: Sequence[Word]) -> bool:
    """Tell whether a word may name what something is full of: "apples", and not "5" or "the"."""
    return any(
        word.key.isalpha()
        and not word.capital
        and word.key not in silent_words(None)
        for word in following
    )


def is_relative_of(words: Sequence[Word], start: int, end: int) -> bool:
    """Tell whether a name owns somebody who is spoken of: "Ullas Kollegin", "Anna's brother", "Frau
    Yildiz' Sohn".
    """
    return find_relative(words, end) is not None


def find_relative(words: Sequence[Word], end: int) -> str | None:
    """Return the word for whom the name that ends before *end* has; None where it has nobody."""
    if end >= len(words):
        return None
    following = words[end]
    owns = following.joined and words[end - 1].key.endswith("s")
    if following.key == "s" and following.before.strip() in _MARKS:
        # "[[Gwen]]'s daughter"
        following = words[min(end + 1, len(words) - 1)]
    elif not owns and following.before not in _APOSTROPHES:
        return None
    is_somebody = following.key in read_word_kinds(roles.DATA)["relatives"]
    return following.key if is_somebody else None


def tells_when(words: Sequence[Word], start: int) -> bool:
    """Tell whether a note begins with a name only to say when something was.

    "While Mum had the baby", "nach dem Stammtisch"; and all names until it says what its owner did:
    "while Pepper was at Rosa's I took the coats to the cleaner".
    """
    if not start or not _begins_with_time(words):
        return False
    return start <= max(_BEHIND_TIME, find_end_of_time(words) - 1)


def find_end_of_time(words: Sequence[Word]) -> int:
    """Return the place where a note that says when goes on to what its owner did; 0 if nowhere."""
    if not _begins_with_time(words):
        return 0
    own = words_of_kinds("me", "us") & words_of_kinds("nominatives")
    for at, word in enumerate(words):
        if word.key in own:
            return at
    return 0


def _begins_with_time(words: Sequence[Word]) -> bool:
    meanwhile = read_word_kinds(roles.DATA)["meanwhile"]
    return bool(words) and words[0].key in meanwhile


def _begins_sentence(words: Sequence[Word], start: int) -> bool:
    """Tell whether a note begins with the name, but for an article: "the stove"."""
    return start == 0 or (start == 1 and _is_article(words[0]))


def _is_article(word: Word) -> bool:
    return word.key in words_of_kinds("determiners", "articles", "possessives")


def _is_definite(word: Word) -> bool:
    return word.key in words_of_kinds("definite")


def _says_which(words: Sequence[Word], start: int, end: int) -> bool:
    """Tell whether what follows the name of a thing says which one is meant.

    "The stove in the cottage", "engine of my neighbour". A name with a capital and no article may
    be a person's, of whom this says where they are: "Anna at the station".
    """
    following = words[end : end + _WHICH]
    if len(following) < _WHICH or not all(word.joined for word in following):
        return False
    is_thing = start == 1 or _is_article(words[0]) or not words[0].capital
    if not is_thing:
        return False
    first, second, third = following
    if first.key not in words_of_kinds("prepositions"):
        return False
    return _is_article(second) and third.key not in silent_words(None)


def _begins_compound(words: Sequence[Word], start: int, end: int) -> bool:
    """Tell whether an English note begins with a thing of which a name is the first word.

    "Window cleaner wants cash" and "weight limit on the ladder" do, because what wants or is on
    something stands between; "boiler leaks into the hall" does not.
    """
    following = words[end : end + _COMPOUND]
    if len(following) < _COMPOUND or not _begins_sentence(words, start):
        return False
    if words[end - 1].key.endswith("'s"):
        return False  # "Anna's cat is ill": it is Anna's
    thing, then = following
    if not then.joined or thing.capital or thing.key in silent_words("en"):
        return False
    if thing.key[0].isdigit() or _may_be_verb(thing):
        return False
    finite = words_of_kinds("copulas", "auxiliaries", "modals", "prepositions")
    return then.key in finite or _may_be_verb(then)


def _is_before_a_noun(words: Sequence[Word], start: int, end: int) -> bool:
    """Tell whether a German name of one word stands before a noun or a name."""
    if end - start > 1 or not words[start].capital or not words[end].capital:
        return False
    if start and words[start - 1].key in titles_of_persons():
        return False
    return words[end].key not in silent_words(None)


def _may_be_verb(word: Word) -> bool:
    """Tell whether an English word may be what somebody does or did: "leaks", "sent"."""
    key = word.key
    if is_past_form(key):
        return True
    return key.endswith("s") and not key.endswith(("ss", "'s"))


def is_past_form(key: str) -> bool:
    """Tell whether a word is a past form or a participle of an English verb."""
    return _is_past(key) or key in _irregular_forms()


def _is_past(key: str) -> bool:
    """Tell whether a word is a regular past form: "leaked", and not "bed", "shed" or "seed"."""
    if not key.endswith("ed") or key.endswith("eed"):
        return False
    return not _VOWELS.isdisjoint(key[:-2])


@lru_cache(maxsize=1)
def _irregular_forms() -> frozenset[str]:
    """Return the past forms and participles of irregular English verbs."""
    forms = read_language_data("en", "extract")["verbs"]["irregular"]
    return frozenset(pair.split("=")[0] for pair in forms.split())


@lru_cache(maxsize=1)
def _doers() -> frozenset[str]:
    """Return the English words that a verb alone can follow: "we", "must"."""
    data = read_language_data("en", "extract")
    subjects = frozenset(data["words"]["subjects"].split())
    modals = frozenset(data["words"]["modals"].split())
    return (subjects | modals) - words_of_kinds("determiners", "possessives")


@lru_cache(maxsize=1)
def leaving_words() -> frozenset[str]:
    """Return the words for "from" of every language."""
    leaving: set[str] = set()
    for name in LANGUAGES:
        leaving |= lexicon_of(name).leaving
    return frozenset(leaving)
