"""Read a page and a note for what the note may doubt: words of matter, numbers and denials."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.language.lexicon import Lexicon, lexicon_of
from companion.language.relations.contest import is_question
from companion.language.words.compounds import word_likeness
from companion.values.relations import Statement

_SENTENCES = 12  # of either text, the first that are looked at
_LONGEST = 400  # characters of each
_WORDS = 60  # of each
_SHORTEST = 3  # letters of a word of matter
_ALIKE = 0.6  # likeness from which two words are of one thing

_LINK = re.compile(r"!?\[\[([^\]|]*)(?:\|[^\]]*)?\]\]")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)?|[^\W\d_]+(?:'[^\W\d_]+)?")


class Number(NamedTuple):
    """A number in digits or words, and what it counts."""

    value: float
    noun: str  # its unit, or the stem of the word behind it; may be empty


class Sentence(NamedTuple):
    """A sentence in words."""

    text: str
    words: tuple[str, ...]  # in lower case
    matter: tuple[str, ...]  # those that are no little words or numbers
    numbers: tuple[Number, ...]
    denies: bool


class PageWords(NamedTuple):
    """What a page speaks of."""

    title: tuple[str, ...]  # words of matter
    own: tuple[str, ...]  # those of its sentences that are not of the title
    sentences: tuple[Sentence, ...]


class NoteWords(NamedTuple):
    """What a note speaks of. Its questions state nothing, and its links are no words of its own."""

    matter: tuple[str, ...]  # of what it states and of its title
    linked: tuple[str, ...]  # of the names that it links to
    links: int
    sentences: tuple[Sentence, ...]


class Named(NamedTuple):
    """The words of a page that a note names."""

    title: list[str]
    own: list[str]

    @property
    def about(self) -> float:
        """How far the note is about the page, in [0, 1]."""
        return min(1.0, (1.5 * len(self.title) + len(self.own)) / 4)


def read_page(page: Statement, language: str) -> PageWords:
    """Return what *page* speaks of; its lines are sentences."""
    name = (page.title or "").strip()
    title = read_sentence(name, language).matter
    sentences = []
    for line in page.text.splitlines()[:_SENTENCES]:
        if not _is_heading(line, name):
            sentences.append(read_sentence(line, language))
    words: dict[str, None] = {}
    for sentence in sentences:
        words.update(dict.fromkeys(sentence.matter))
    own = [word for word in words if not is_any(word, title)]
    return PageWords(title, tuple(own), tuple(sentences))


def read_note(note: Statement, language: str) -> NoteWords:
    """Return what *note* speaks of; its lines are sentences."""
    name = (note.title or "").strip()
    matter = list(read_sentence(name, language).matter)
    sentences = []
    for line in note.text.splitlines()[:_SENTENCES]:
        if is_question(line) or _is_heading(line, name):
            continue
        sentence = read_sentence(_LINK.sub(" ", line), language)
        sentences.append(sentence)
        matter += sentence.matter
    links = _LINK.findall(note.text)
    linked = read_sentence(" ".join(links), language).matter
    return NoteWords(tuple(matter), linked, len(set(links)), tuple(sentences))


def find_named(page: PageWords, note: NoteWords) -> Named:
    """Return the words of *page* that *note* names beside its links."""
    return Named(
        keep_alike(page.title, note.matter), keep_alike(page.own, note.matter)
    )


def keep_alike(words: Iterable[str], others: Sequence[str]) -> list[str]:
    """Return those of *words* that one of *others* is alike to."""
    return [word for word in words if is_any(word, others)]


def is_any(word: str, others: Iterable[str]) -> bool:
    """Tell whether *word* is a form, a part or a compound of one of *others*."""
    return any(word_likeness(word, other) >= _ALIKE for other in others)


@lru_cache(maxsize=4096)
def read_sentence(text: str, language: str) -> Sentence:
    """Return a sentence in the words of *language*."""
    lexicon = lexicon_of(language)
    plain = text[:_LONGEST].lower().replace("\u2019", "'")
    words = tuple(_TOKEN.findall(plain)[:_WORDS])
    matter = [word for word in words if _is_matter(word, lexicon)]
    return Sentence(
        text,
        words,
        tuple(matter),
        tuple(_read_numbers(words, lexicon)),
        any(_denies(word, lexicon) for word in words),
    )


def _is_heading(line: str, name: str) -> bool:
    return bool(name) and line.strip("# ").strip() == name


def _is_matter(word: str, lexicon: Lexicon) -> bool:
    if len(word) < _SHORTEST or word[0].isdigit():
        return False
    if word in lexicon.function or word in lexicon.negators:
        return False
    return word not in lexicon.numbers and word not in lexicon.units


def _denies(word: str, lexicon: Lexicon) -> bool:
    if word in lexicon.negators or word in lexicon.avoiding:
        return True
    return word.endswith("n't")


def _read_numbers(words: Sequence[str], lexicon: Lexicon) -> list[Number]:
    found = []
    for at, word in enumerate(words):
        value = _value_of(word, lexicon)
        if value is not None:
            found.append(Number(value, _noun_behind(words, at, lexicon)))
    return found


def _value_of(word: str, lexicon: Lexicon) -> float | None:
    if word[0].isdigit():
        return float(word.replace(",", "."))
    return lexicon.numbers.get(word)


def _noun_behind(words: Sequence[str], at: int, lexicon: Lexicon) -> str:
    """Return the unit behind a number, or the stem of the word; none behind "two per patient"."""
    for word in words[at + 1 : at + 3]:
        if word in lexicon.units:
            return lexicon.units[word].kind
        if not _is_number(word, lexicon):
            is_noun = word not in lexicon.function
            return lexicon.stem(word) if is_noun else ""
    return ""


def _is_number(word: str, lexicon: Lexicon) -> bool:
    return word[0].isdigit() or word in lexicon.numbers
