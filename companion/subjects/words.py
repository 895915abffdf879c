"""Read the words of a note: what tells its subject, and what it begins with."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.language.detect import (
    LANGUAGES,
    function_words,
    language_of,
    read_language_data,
)
from companion.language.lexicon import lexicon_of
from companion.language.names.name_forms import name_forms
from companion.language.sentence_ends import split_sentences
from companion.language.sentences import blank_markup
from companion.language.word_kinds import read_word_kinds
from companion.language.words import roles
from companion.language.words.compounds import list_modifiers
from companion.pages import links
from companion.subjects.values import Note

# characters of a note in which names are looked for: it says at its beginning what it is about
READ = 4_000
# letters of a word; what is longer is no word
_LONGEST = 40
# words that a note begins with
_BEGINNING = 2
# words behind a preposition that may belong to it
_REACH = 3
# a note that lists as many things on one line is about none of them
MANY_LISTED = 5
# words of a thing in a list
_LONGEST_ITEM = 5
# letters of a word that a name may begin with
SHORTEST = 2
_LINK = re.compile(r"!?\[\[[^\[\]\n]{1,1000}\]\]")
_COMMA = re.compile(r"[,;]\s+")
# a word with its genitive: "anna's"
_WORD = re.compile(r"[^\W_]+(?:['\u2019]s\b)?")


class Word(NamedTuple):
    """A word of a note."""

    key: str  # folded as names are
    capital: bool  # it begins with one capital letter
    before: str  # what stands between it and the word before

    @property
    def joined(self) -> bool:
        """Tell whether only a space stands between it and the word before."""
        return self.before == " "


class OwnName(NamedTuple):
    """A name that a note begins with."""

    key: str  # folded
    sure: bool  # a title of persons stands before it, or it owns something


def read_words(note: Note) -> list[Word]:
    """Return the words of the note in which names are looked for."""
    text = blank_markup(note.text[:READ])
    if note.title:
        text = f"{note.title}\n{text}"
    words = []
    end = 0
    for match in _WORD.finditer(text):
        word = match.group()
        between = text[end : match.start()]
        capital = word[0].isupper() and not word[1:].isupper()
        words.append(Word(links.fold(word), capital, between))
        end = match.end()
    return words


def split_words(text: str) -> list[str]:
    """Return the words of *text*, folded as names are."""
    return _WORD.findall(links.fold(text))


def list_beginnings(note: Note) -> list[str]:
    """Return what the names that may stand in the note begin with, each once."""
    beginnings: dict[str, None] = {}
    for word in read_words(note):
        for form in name_forms(word.key):
            if len(form) >= SHORTEST:
                beginnings[form] = None
    return list(beginnings)


def list_compound_parts(note: Note) -> list[str]:
    """Return what words of the note may be compounds of, each once."""
    parts: dict[str, None] = {}
    for word in read_words(note):
        parts.update(dict.fromkeys(list_modifiers(word.key[:_LONGEST])))
    return list(parts)


def blank_links(text: str) -> str:
    """Return *text* without links: that it links to a page is not what it says."""
    return _LINK.sub(" ", text)


def list_telling_words(text: str) -> list[str]:
    """Return the words of *text* that may tell its subject, each once.

    Little words, numbers and words of time say nothing of a subject. Short texts have few little
    words, so that their language is not known: then those of all languages are left out.
    """
    language = language_of(text)
    silent = silent_words(language)
    words = dict.fromkeys(split_words(text))
    return [
        word
        for word in words
        if word.removesuffix("'s") not in silent and _can_tell(word)
    ]


def list_lesser_words(text: str) -> frozenset[str]:
    """Return the words of *text* that tell less than others: titles of persons ("Frau"), and those
    that a German text writes small, for they are no nouns.

    Of a text without a capital behind its first word it cannot be told.
    """
    words = _WORD.findall(text)
    lesser = set(titles_of_persons())
    if language_of(text) == "de" and any(w[0].isupper() for w in words[1:]):
        later = [word for word in words[1:] if word[0].islower()]
        lesser.update(links.fold(word) for word in later)
    return frozenset(lesser)


def list_words_in_passing(text: str) -> frozenset[str]:
    """Return the words of *text* behind a preposition: names among them are said in passing.

    What a note begins with is none of these ("With Anna at the lake"), nor is what it says that
    somebody speaks about: "complained about the compressor".
    """
    words = [links.fold(word) for word in _WORD.findall(text)]
    topical = read_word_kinds(roles.DATA)["topical"]
    prepositions = words_of_kinds("prepositions") - topical
    between = words_of_kinds("determiners", "articles", "possessives")
    passing = set()
    for at, word in enumerate(words):
        if at == 0 or word not in prepositions:
            continue
        for following in words[at + 1 : at + 1 + _REACH]:
            passing.add(following)
            if (
                following not in between
                and following not in titles_of_persons()
            ):
                break
    return frozenset(passing)


def find_first_sentence(text: str) -> str:
    """Return the first sentence of *text*."""
    sentences = split_sentences(text.strip())
    return sentences[0] if sentences else ""


def count_listed(text: str) -> int:
    """Return how many things a note lists on one line: "rang the bank, fed the cat, slept".

    1 where what stands between its commas is too long for that.
    """
    line = blank_links(text).strip()
    items = [item.split() for item in _COMMA.split(line.rstrip("."))]
    if "\n" in line or max(len(words) for words in items) > _LONGEST_ITEM:
        return 1
    return len(items)


def tells_of_recommending(text: str) -> bool:
    """Tell whether the first sentence of *text* says what somebody recommends, or whom somebody
    knows who does such work: "Rosa knows a roofer".
    """
    words = split_words(find_first_sentence(blank_markup(text)))
    kinds = read_word_kinds(roles.DATA)
    if not kinds["recommends"].isdisjoint(words):
        return True
    return any(
        word in kinds["knows"] and _is_one_of_a_role(words[at + 1 :])
        for at, word in enumerate(words)
    )


def _is_one_of_a_role(words: Sequence[str]) -> bool:
    """Tell whether *words* begin with one of a role: "a good roofer"."""
    if not words or words[0] not in words_of_kinds("articles"):
        return False
    return any(roles.role_of(word) for word in words[1:_REACH])


def begins_with_subject(text: str) -> bool:
    """Tell whether the first word of *text* that tells something seems to be its subject, at its
    beginning: it has a capital, or stands behind "the" or "my".

    One word may stand before it: "the Skoda".
    """
    telling = set(list_telling_words(text))
    words = _WORD.findall(text)[:_BEGINNING]
    known = words_of_kinds("definite", "possessives")
    for at, word in enumerate(words):
        if links.fold(word) in telling:
            is_known = at > 0 and links.fold(words[0]) in known
            return is_known or bool(word[0].isupper())
    return False


def find_own_name(text: str) -> OwnName | None:
    """Return the name that *text* begins with; None where it may be no name.

    A name follows a person's title ("Frau Vogt"), or owns or does something ("Anna's", "Anna is").
    """
    words = _WORD.findall(text)[: _BEGINNING + 1]
    if len(words) < _BEGINNING:
        return None
    first, second = links.fold(words[0]), links.fold(words[1])
    if first in titles_of_persons():
        if words[1][0].isupper():
            return OwnName(second, True)
        return None
    if not words[0][0].isupper() or first in silent_words(None):
        return None
    if first.endswith("'s"):
        return OwnName(first, True)
    if second in words_of_kinds("copulas", "auxiliaries", "modals"):
        return OwnName(first, False)
    return None


@lru_cache(maxsize=1)
def titles_of_persons() -> frozenset[str]:
    """Return the titles of persons of every language."""
    titles: set[str] = set()
    for name in LANGUAGES:
        said = read_language_data(name, "extract").get("said", {})
        titles.update(said.get("titles", "").split())
    return frozenset(titles)


@lru_cache(maxsize=8)
def words_of_kinds(*kinds: str) -> frozenset[str]:
    """Return the words of some grammatical kinds in every language."""
    found: set[str] = set()
    for name in LANGUAGES:
        words = read_language_data(name, "extract").get("words", {})
        for kind in kinds:
            found.update(words.get(kind, "").split())
    return frozenset(found)


def _can_tell(word: str) -> bool:
    """Tell whether a word is long enough to tell something: "ci", "312", "varroa"."""
    return len(word) > 1 and len(word) <= _LONGEST


@lru_cache(maxsize=8)
def silent_words(language: str | None) -> frozenset[str]:
    """Return the words of a language that tell no subject; of all languages for None."""
    languages = LANGUAGES if language is None else (language,)
    silent: set[str] = set()
    for name in languages:
        lexicon = lexicon_of(name)
        silent |= function_words()[name] | lexicon.function
        silent |= lexicon.numbers.keys() | lexicon.ordinals.keys()
        silent |= lexicon.months.keys() | lexicon.units.keys()
        time = read_language_data(name, "time")
        for table in ("weekdays", "units", "days", "relative", "numbers"):
            for phrase in time.get(table, {}):
                silent.update(split_words(phrase))
    return frozenset(silent)


def link_keys(target: str) -> tuple[str, str]:
    """Return the keys by which a link's target is looked up: a file's name, and a title."""
    return links.key(target), links.title_key(target)
