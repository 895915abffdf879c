"""Name what a note says against a page: "Anna (lives in Bergen)". Pure."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from companion.language.detect import language_of
from companion.language.headline import headline
from companion.language.names.naming import (
    NOT_WORDS,
    WORD,
    blank,
    find_key,
    list_keys,
    list_little_words,
    name_subject,
    read_kinds,
)
from companion.language.sentence_ends import split_sentences
from companion.language.sentences import blank_markup

# what an earlier contradiction said: "Anna (lives in Oslo)"
_MADE = re.compile(r"(?<=\S) \([^()]* [^()]*\)$")
_DAY = re.compile(r"\d{4}-\d\d-\d\d\b")  # the title of a day page
_WHOLE = 76  # bytes of a title with what a contradiction says
_DETAIL = 60  # characters of what a contradiction says
_CLAUSE = re.compile(r"\s*(?:[;:\u2013\u2014]|,)\s+")
_JOINED = re.compile(r"(?:sondern|but|not|nicht|und|and|instead)\b", re.I)
_ADDED = re.compile(r",\s+(?=(?:und|and)\s)", re.I)
_LEAST_DETAIL = 2  # words
_LEAST_BEFORE = (
    3  # words that stay before the name at the end: "one signature is enough"
)
_SUBJECT = 12  # words that a title may take from the beginning of a clause
_PART = 4  # letters that a part of a compound has more of
_STOPS = ".!? \u2026"


def name_contradiction(text: str, about_title: str) -> str:
    """Return a title for a note that contests the page *about_title*: that name, and what it says.

    For example "Anna (lives in Bergen)". What has the name in its middle stands alone: "None of the
    lines was flushed"; not what says only when or where: "Printer (on Monday)". Where no clause
    says it, "Anna (differs)".
    """
    title = _MADE.sub("", " ".join(about_title.split()))
    if _DAY.match(title):
        # a day names nothing: the note itself says what it is about
        title = name_subject([text]) or ""
        if not title or _says_again(_find_detail(text, title), title):
            return headline(text)
    detail = _find_detail(text, title)
    detail = _find_behind(detail, title) or detail
    if _says_whole(detail, title):
        return detail[0].upper() + detail[1:]
    first = detail.partition(" ")[0]
    if first.casefold() in list_little_words():
        # it goes on behind the name: "(in the cellar)"
        detail = first.lower() + detail[len(first) :]
    if not detail:
        kind = "differs-en"
        if language_of(text) == "de":
            kind = "differs-de"
        detail = min(read_kinds()[kind])
    return f"{title} ({detail})"


def _says_again(detail: str, title: str) -> bool:
    """Tell whether *detail* has the name that would stand before it: "finished Piranesi"."""
    return not set(list_keys(title)).isdisjoint(list_keys(detail))


def _says_whole(detail: str, title: str) -> bool:
    """Tell whether *detail* has every word of the name, or a part of its compound."""
    said = list_keys(detail)
    names = list_keys(title)
    return bool(said and names) and all(
        any(_is_one_word(word, name) for word in said) for name in names
    )


def list_details(text: str) -> Iterator[str]:
    """Yield what `name_contradiction` may say of *text*, whatever the title: parts of clauses."""
    plain = " ".join(NOT_WORDS.sub(blank, blank_markup(text)).split())
    for sentence in split_sentences(plain):
        for clause in _list_clauses(sentence.strip(), ()):
            for word in islice(WORD.finditer(clause), _SUBJECT):
                yield from _list_parts(clause[word.start() :])


def _list_parts(words: str) -> Iterator[str]:
    """Yield a clause, and what stands in it before a preposition, where they are no longer than a
    title has room for.
    """
    ends = [len(words)]
    for word in WORD.finditer(words[: _DETAIL + 1]):
        if word.group().casefold() in read_kinds()["topical"]:
            ends.append(word.start())
    for end in ends:
        if end <= _DETAIL:
            yield words[:end].rstrip()


class _Detail(NamedTuple):
    """What a clause says, the best first."""

    shared: int  # words of the title in its clause, negated
    sentence: int
    # what the thing itself begins is said of it
    is_clause: bool
    size: int  # characters, negated
    words: str


def _find_detail(text: str, title: str) -> str:
    """Return the longest clause of *text* that speaks of *title* and has room behind it; empty
    where none is.
    """
    # A file name holds no more: words cut in two there would not be found to be erased.
    room = min(_DETAIL, _WHOLE - len(f"{title} ()".encode()))
    plain = " ".join(NOT_WORDS.sub(blank, blank_markup(text)).split())
    found: list[_Detail] = []
    for number, sentence in enumerate(split_sentences(plain)):
        found += _list_told(sentence.strip(), number, title, room)
    if not found:
        return ""
    return min(found).words


def _list_told(
    sentence: str, number: int, title: str, room: int
) -> Iterator[_Detail]:
    """Yield what the clauses of a sentence say of *title*, within *room* bytes."""
    known = set(list_keys(title))
    for clause in _list_clauses(sentence, known):
        shared = _count_shared(clause, known)
        # a clause that does not name the thing may be any remark
        if not shared and clause != sentence.rstrip(_STOPS):
            continue
        words = _without_object(_without_subject(clause, title), known)
        size = len(words.encode())
        most = _DETAIL if _says_whole(words, title) else room
        if size <= most and len(WORD.findall(words)) >= _LEAST_DETAIL:
            is_clause = words == clause
            yield _Detail(-shared, number, is_clause, -len(words), words)


def _list_clauses(sentence: str, known: Collection[str]) -> list[str]:
    """Return the whole sentence and its clauses; what "but" adds stays with the one before, and
    what follows one of *known* words alone with these. Then those without what "and" adds.
    """
    words = sentence.rstrip(_STOPS)
    clauses: list[str] = []
    start = 0
    for end in _CLAUSE.finditer(words):
        clause = words[start : end.start()]
        is_name = bool(known) and set(list_keys(clause)) <= set(known)
        if not is_name and not _JOINED.match(words, end.end()):
            clauses.append(clause)
            start = end.end()
    clauses.append(words[start:])
    parts: list[str] = []
    for clause in clauses:
        parts += _ADDED.split(clause)
    return [*dict.fromkeys((words, *clauses, *parts))]


def _count_shared(clause: str, known: Collection[str]) -> int:
    """Return how many words of *clause* are of a title, or part of a compound in it."""
    said = dict.fromkeys(list_keys(clause))
    return sum(any(_is_one_word(key, one) for one in known) for key in said)


def _is_one_word(key: str, name: str) -> bool:
    """Tell whether two words are one, or one is a part of the other, a compound."""
    if key == name or (len(key) > _PART and key in name):
        return True
    return len(key) > _PART and len(name) > _PART and name in key


def _without_object(words: str, known: Collection[str]) -> str:
    """Return *words* without what they end with: "for the book", if a book is what is known."""
    spots = list(WORD.finditer(words))
    at = len(spots)
    while at and _is_of_name(spots[at - 1].group(), known):
        at -= 1
    before = spots[at - 2 : at - 1]
    if at == len(spots) or at <= _LEAST_BEFORE or not before:
        return words
    leads = spots[at - 1].group().casefold() in read_kinds()["topical"]
    if not leads or before[0].group().casefold() in read_kinds()["copulas"]:
        return words
    return words[: spots[at - 1].start()].rstrip()


def _is_of_name(word: str, known: Collection[str]) -> bool:
    return find_key(word) in known or _is_determiner(word)


def _without_subject(clause: str, title: str) -> str:
    """Return *clause* without the words of *title* that it begins with, and what leads to them:
    an article, or "so the".
    """
    known = set(list_keys(title))
    rest = clause.strip(" \"'\u201c\u201d\u201e")
    words = list(WORD.finditer(rest))
    at = _skip_lead(words, known)
    begin = at
    while at < len(words) and find_key(words[at].group()) in known:
        at += 1
    if at >= len(words):
        return ""
    if words[at].group().casefold() in read_kinds()["prepositions"]:
        # "The allergy to nuts is gone": the name goes on
        at = begin
    return rest[words[at].start() :].strip()


def _find_behind(detail: str, title: str) -> str:
    """Return what says when or where behind a name that *detail* is about: "on Monday" of
    "appointment for the printer on Monday"; empty where it has another form.
    """
    known = set(list_keys(title))
    spots = list(WORD.finditer(detail))
    named = [at for at, w in enumerate(spots) if find_key(w.group()) in known]
    if not named or not _is_led_to(spots[: named[0]]):
        return ""
    behind = spots[named[-1] + 1 :]
    kinds = read_kinds()
    leads = behind and behind[0].group().casefold() in kinds["prepositions"]
    if not leads or len(behind) < _LEAST_DETAIL:
        return ""
    return detail[behind[0].start() :]


def _is_led_to(before: Sequence[re.Match[str]]) -> bool:
    """Tell whether the words *before* a name end with what a thing is for or about, "for the"."""
    words = [word.group().casefold() for word in before]
    while words and _is_determiner(words[-1]):
        words.pop()
    return bool(words) and words[-1] in read_kinds()["topical"]


def _skip_lead(words: Sequence[re.Match[str]], known: Collection[str]) -> int:
    """Return the place of the first of *words* behind an article, or behind all little words if
    one of *known* follows them.
    """
    for at, word in enumerate(words):
        if find_key(word.group()) in known:
            return at
        if word.group().casefold() not in list_little_words():
            break
    if words and _is_determiner(words[0].group()):
        return 1
    return 0


def _is_determiner(word: str) -> bool:
    return word.casefold() in read_kinds()["determiners"]
