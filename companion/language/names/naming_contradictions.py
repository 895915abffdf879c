"""Name what a note says against a page: "Anna (lives in Bergen)". Pure."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

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
_LEAST_DETAIL = 2  # words
_SUBJECT = 12  # words that a title may take from the beginning of a clause
_STOPS = ".!? \u2026"


def name_contradiction(text: str, about_title: str) -> str:
    """Return a title for a note that contests the page *about_title*: that name, and what it says.

    For example "Anna (lives in Bergen)". Where nothing short says it, "Anna (differs)".
    """
    title = _MADE.sub("", " ".join(about_title.split()))
    if _DAY.match(title):
        # a day names nothing: the note itself says what it is about
        title = name_subject([text]) or ""
        if not title or _says_again(_find_detail(text, title), title):
            return headline(text)
    detail = _find_detail(text, title)
    first = detail.partition(" ")[0]
    if first.casefold() in list_little_words():
        # it goes on behind the name: "(in the cellar)"
        detail = first.lower() + detail[len(first) :]
    # A file name holds no more: words cut in two there would not be found to be erased.
    if len(f"{title} ({detail})".encode()) > _WHOLE:
        detail = ""
    if not detail:
        kind = "differs-en"
        if language_of(text) == "de":
            kind = "differs-de"
        detail = min(read_kinds()[kind])
    return f"{title} ({detail})"


def _says_again(detail: str, title: str) -> bool:
    """Tell whether *detail* has the name that would stand before it: "finished Piranesi"."""
    return not set(list_keys(title)).isdisjoint(list_keys(detail))


def list_details(text: str) -> Iterator[str]:
    """Yield what `name_contradiction` may say of *text*, whatever the title: ends of clauses."""
    plain = " ".join(NOT_WORDS.sub(blank, blank_markup(text)).split())
    for sentence in split_sentences(plain):
        for clause in _list_clauses(sentence.strip()):
            for word in islice(WORD.finditer(clause), _SUBJECT):
                detail = clause[word.start() :]
                if len(detail) <= _DETAIL:
                    yield detail


def _find_detail(text: str, title: str) -> str:
    """Return the shortest whole clause of *text* that speaks of *title*; empty where none is."""
    known = set(list_keys(title))
    found = []
    plain = " ".join(NOT_WORDS.sub(blank, blank_markup(text)).split())
    for number, sentence in enumerate(split_sentences(plain)):
        for clause in _list_clauses(sentence.strip()):
            detail = _without_subject(clause, title)
            size = len(WORD.findall(detail))
            shared = _count_shared(clause, known)
            is_whole = clause == sentence.strip().rstrip(_STOPS)
            fits = size >= _LEAST_DETAIL and len(detail) <= _DETAIL
            # a clause that does not name the thing may be any remark
            if fits and (shared or is_whole):
                # what the thing itself begins is said of it
                whole = detail == clause
                found.append((-shared, number, whole, -len(detail), detail))
    if not found:
        return ""
    return min(found)[-1]


def _list_clauses(sentence: str) -> list[str]:
    """Return the whole sentence and its clauses; what "but" adds stays with the one before."""
    words = sentence.rstrip(_STOPS)
    clauses: list[str] = []
    start = 0
    ends = [*_CLAUSE.finditer(words)]
    for end in ends:
        if not _JOINED.match(words, end.end()):
            clauses.append(words[start : end.start()])
            start = end.end()
    clauses.append(words[start:])
    return [words, *clauses]


def _count_shared(clause: str, known: Collection[str]) -> int:
    """Return how many words of *clause* are of a title, or part of a compound in it."""
    count = 0
    for key in dict.fromkeys(list_keys(clause)):
        whole = key in known
        part = len(key) > 4 and any(
            key in one or (len(one) > 4 and one in key) for one in known
        )
        count += whole or part
    return count


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
