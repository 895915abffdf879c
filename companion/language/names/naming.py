"""Name what notes are about, as a person would title it: the name of a thing, never a sentence.

A thing is called what its notes call it: the proper name or noun that most of them share, in the
form in which they write it most, with a capital and without article or possessive. Verbs, dates,
numbers and words that any note has name nothing. Pure: the same notes give the same name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from math import ceil
from typing import NamedTuple

from companion.language.detect import LANGUAGES, function_words, language_of
from companion.language.headline import headline
from companion.language.names.name_forms import name_forms
from companion.language.sentence_ends import split_sentences
from companion.language.sentences import blank_markup
from companion.language.word_kinds import read_word_kinds

DATA = "naming.txt"
NAME_LENGTH = 60  # characters of a name

_WORD = re.compile(r"[^\W_](?:[\w'\u2019&-]*[^\W_])?")
_GAP = re.compile(r"\.?[ \u00a0]")
_POSSESSIVE = re.compile(r"['\u2019]s?$")
_NOT_WORDS = re.compile(r"\S+@\S+|\b(?:https?:|www\.)\S+|#\S+")
_LONGEST_NAME = 4  # words
_SHARE = 0.7  # of the notes that must call the thing by its name
# the kinds of candidates, the best first
_PROPER, _NOUN, _WORD_ONLY = range(3)
# "-ed" and "-ing" begin a note as verbs: "Repaired the roof"
_VERB_ENDING = re.compile(r"(?:ed|ing)$")
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

# "Moira (agency)", "Onkel Rolf"; not "#team", "chat.txt", "team-3"
_SOMEBODY = re.compile(r"[^\W\d_a-zß-öø-ÿ][^\d_#@/\\:]*")


class _Word(NamedTuple):
    """A word of a note, where it stands in its sentence, and its key."""

    text: str
    key: str  # the shortest form that it may be one of
    start: int
    first: bool  # it begins its sentence


class _Note(NamedTuple):
    """The words of one note, with the text that they stand in."""

    text: str
    sentences: list[list[_Word]]


class _Candidate(NamedTuple):
    """A name that notes may share."""

    keys: tuple[str, ...]
    kind: int
    notes: int  # that have it
    place: int  # where it first stands in them, added up
    form: str  # as written most


def name_subject(
    texts: Sequence[str],
    hints: Sequence[str] = (),
    sources: Collection[str] = (),
) -> str | None:
    """Return the name of the thing that *texts* are about; None where they share none.

    *hints* are names under which their subject is already known: the first that the texts have is
    taken, as they write it. A name that is one of *sources* is refused.
    """
    notes = [_read_note(text) for text in texts]
    refused = {_keys_of(source) for source in sources}
    names = _spot_names(notes)
    for hint in hints:
        keys = _keys_of(hint)
        if keys and keys not in refused and not _names_nothing(keys):
            found = _weigh(keys, _PROPER, notes)
            if found.notes:
                return _cite(found.form)
    candidates = []
    for keys, kind in names.items():
        if keys not in refused and not _names_nothing(keys):
            candidates.append(_weigh(keys, kind, notes))
    return _choose(candidates, len(notes))


def name_contradiction(text: str, about_title: str) -> str:
    """Return a title for a note that contests the page *about_title*: that name, and what it says.

    For example "Anna (lives in Bergen)". Where nothing short says it, "Anna (differs)".
    """
    title = _MADE.sub("", " ".join(about_title.split()))
    if _DAY.match(title):
        # a day names nothing: the note itself says what it is about
        title = name_subject([text]) or ""
        if not title:
            return headline(text)
    detail = _find_detail(text, title)
    first = detail.partition(" ")[0]
    if first.casefold() in _little_words():
        # it goes on behind the name: "(in the cellar)"
        detail = first.lower() + detail[len(first) :]
    # A file name holds no more: words cut in two there would not be found to be erased.
    if len(f"{title} ({detail})".encode()) > _WHOLE:
        detail = ""
    if not detail:
        kind = "differs-en"
        if language_of(text) == "de":
            kind = "differs-de"
        detail = min(_kinds()[kind])
    return f"{title} ({detail})"


def list_details(text: str) -> Iterator[str]:
    """Yield what `name_contradiction` may say of *text*, whatever the title: ends of clauses."""
    plain = " ".join(_NOT_WORDS.sub(_blank, blank_markup(text)).split())
    for sentence in split_sentences(plain):
        for clause in _list_clauses(sentence.strip()):
            for word in islice(_WORD.finditer(clause), _SUBJECT):
                detail = clause[word.start() :]
                if len(detail) <= _DETAIL:
                    yield detail


def name_conversation(
    participants: Sequence[str],
    source: str,
    day: str,
    turns: Sequence[str],
) -> str:
    """Return a title for a conversation of one *day* (2026-11-22).

    It names who took part, else what it was about, else where it was held. The day tells two of the
    same people apart.
    """
    people = list(dict.fromkeys(name.strip() for name in participants))
    people = [name for name in people if name]
    if people:
        return f"Conversation with {_list_names(people)}, {day}"
    topic = name_subject(turns, sources=[source]) if len(turns) > 1 else None
    if topic is not None:
        return f"Conversation about {topic}, {day}"
    if _is_somebody(source):
        return f"Conversation with {source}, {day}"
    if source:
        return f"Conversation in {source}, {day}"
    return f"Conversation, {day}"


def _is_somebody(source: str) -> bool:
    """Tell whether a source reads like a name of somebody, and not of a channel or a file."""
    return _SOMEBODY.fullmatch(source) is not None


def _list_names(names: Sequence[str]) -> str:
    if len(names) == 1:
        return names[0]
    if len(names) > 3:
        return f"{names[0]}, {names[1]} and {len(names) - 2} others"
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _read_note(text: str) -> _Note:
    plain = _NOT_WORDS.sub(_blank, blank_markup(text))
    sentences = []
    at = 0
    for line in plain.split("\n"):
        for part in split_sentences(line):
            words = _read_words(part, at)
            if words:
                sentences.append(words)
            at += len(part)
        at += 1
    return _Note(plain, sentences)


def _read_words(sentence: str, at: int) -> list[_Word]:
    words: list[_Word] = []
    for match in _WORD.finditer(sentence):
        words.append(
            _Word(
                match.group(),
                _key(match.group()),
                at + match.start(),
                not words,
            )
        )
    return words


def _key(word: str) -> str:
    """Return the shortest form that *word* may be one of: "Annas" and "Anna" are one name."""
    key = _POSSESSIVE.sub("", word).casefold()
    shorter = min(name_forms(key), key=len)
    while shorter != key:
        key = shorter
        shorter = min(name_forms(key), key=len)
    return key


def _keys_of(name: str) -> tuple[str, ...]:
    return tuple(_key(word) for word in _WORD.findall(name))


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _spot_names(notes: Sequence[_Note]) -> dict[tuple[str, ...], int]:
    """Return what may name a thing in *notes*, with the best kind that it was met as."""
    capitals = _list_capitals(notes)
    names: dict[tuple[str, ...], int] = {}
    for note in notes:
        for sentence in note.sentences:
            for run in _proper_runs(note, sentence, capitals):
                _add_runs(names, run, _PROPER)
            for run in _noun_runs(note, sentence):
                # its last word is the thing: an "emergency contact" is none
                for start in range(len(run)):
                    _add_name(names, run[start:], _NOUN)
            for word in sentence:
                if len(word.text) > 3 and word.text.islower():
                    _add_runs(names, [word], _WORD_ONLY)
    return names


def _add_runs(
    names: dict[tuple[str, ...], int], run: Sequence[_Word], kind: int
) -> None:
    """Add every stretch of *run* that neither begins nor ends with a particle."""
    for start in range(len(run)):
        for end in range(start + 1, min(len(run), start + _LONGEST_NAME) + 1):
            _add_name(names, run[start:end], kind)


def _add_name(
    names: dict[tuple[str, ...], int], part: Sequence[_Word], kind: int
) -> None:
    if _is_little(part[0]) or _is_little(part[-1]):
        return
    keys = tuple(word.key for word in part)
    names[keys] = min(kind, names.get(keys, kind))


def _list_capitals(notes: Sequence[_Note]) -> dict[str, bool]:
    """Return by key whether a word has a capital of its own: within sentences more often than not.

    A word that only begins sentences is missing.
    """
    counts: Counter[str] = Counter()
    met: set[str] = set()
    for note in notes:
        for sentence in note.sentences:
            for word in sentence:
                if word.text[0].islower():
                    counts[word.key] -= 1
                    met.add(word.key)
                elif not word.first:
                    counts[word.key] += 1
                    met.add(word.key)
    return {key: counts[key] > 0 for key in met}


def _proper_runs(
    note: _Note, sentence: Sequence[_Word], capitals: Mapping[str, bool]
) -> Iterator[list[_Word]]:
    """Yield the stretches of *sentence* whose words have a capital of their own."""
    run: list[_Word] = []
    for at, word in enumerate(sentence):
        adjoins = bool(run) and _adjoin(note, run[-1], word)
        if run and not adjoins:
            yield _without_particles(run)
            run = []
        if _is_proper(sentence, at, capitals) or (
            run and word.text in _kinds()["particles"]
        ):
            run.append(word)
        elif run:
            yield _without_particles(run)
            run = []
    if run:
        yield _without_particles(run)


def _without_particles(run: list[_Word]) -> list[_Word]:
    while run and run[-1].text in _kinds()["particles"]:
        run = run[:-1]
    return run


def _is_proper(
    sentence: Sequence[_Word], at: int, capitals: Mapping[str, bool]
) -> bool:
    word = sentence[at]
    if not word.text[0].isupper() or _is_little(word):
        return False
    if not word.first:
        return True
    if word.key in capitals:
        return capitals[word.key]
    low = word.text.casefold()
    if low in _kinds()["verbs"] or _VERB_ENDING.search(low):
        return False
    # "Water the plants": what a determiner follows is a verb
    follows = sentence[at + 1].text if at + 1 < len(sentence) else ""
    return follows not in _kinds()["determiners"]


def _noun_runs(note: _Note, sentence: Sequence[_Word]) -> Iterator[list[_Word]]:
    """Yield the words behind "the" or "my" up to the next little word or verb."""
    for at, word in enumerate(sentence):
        low = word.text.casefold()
        if low not in _kinds()["determiners"] and not word.text.endswith(
            ("'s", "\u2019s")
        ):
            continue
        run = [word]
        for following in sentence[at + 1 : at + 4]:
            if not _adjoin(note, run[-1], following):
                break
            if _is_little(following) or _is_verb(following):
                break
            run.append(following)
        if len(run) > 1:
            yield run[1:]


def _adjoin(note: _Note, one: _Word, other: _Word) -> bool:
    between = note.text[one.start + len(one.text) : other.start]
    return _GAP.fullmatch(between) is not None


def _is_verb(word: _Word) -> bool:
    low = word.text.casefold()
    return word.text.islower() and (
        low in _kinds()["verbs"] or low.endswith("ed")
    )


def _is_little(word: _Word) -> bool:
    low = word.text.casefold()
    if low in _little_words() or low in _kinds()["determiners"]:
        return True
    return len(word.text) == 1 or not any(map(str.isalpha, word.text))


def _little_words() -> frozenset[str]:
    words: frozenset[str] = frozenset()
    for language in LANGUAGES:
        words |= function_words()[language]
    return words


def _names_nothing(keys: tuple[str, ...]) -> bool:
    """Tell whether no word of a name says what it is: "Monday", "last time"."""
    refused = {_key(word) for word in _kinds()["refused"]}
    verbs = _kinds()["verbs"]
    return all(key in refused or key in verbs for key in keys)


def _weigh(
    keys: tuple[str, ...], kind: int, notes: Sequence[_Note]
) -> _Candidate:
    """Return how many of *notes* have the name *keys*, and how they write it most."""
    forms: Counter[str] = Counter()
    count = place = 0
    for note in notes:
        spots = [*_find_spots(keys, note)]
        if spots:
            count += 1
            place += spots[0][0].start
        for spot in spots:
            forms[_form_of(note, spot)] += 1
    return _Candidate(keys, kind, count, place, _plain_form(forms))


def _find_spots(
    keys: tuple[str, ...], note: _Note
) -> Iterator[Sequence[_Word]]:
    for sentence in note.sentences:
        for at in range(len(sentence) - len(keys) + 1):
            part = sentence[at : at + len(keys)]
            if tuple(word.key for word in part) != keys:
                continue
            if all(_adjoin(note, one, other) for one, other in pairwise(part)):
                yield part


def _form_of(note: _Note, words: Sequence[_Word]) -> str:
    last = words[-1]
    form = note.text[words[0].start : last.start + len(last.text)]
    return " ".join(_POSSESSIVE.sub("", form).split())


def _plain_form(forms: Counter[str]) -> str:
    """Return the form written most; "Annas" counts for "Anna" where both are written."""
    if not forms:
        return ""
    counts: defaultdict[str, int] = defaultdict(int)
    for form, count in forms.items():
        plain = form.removesuffix("s")
        if plain not in forms:
            plain = form
        counts[plain] += count
    return min(
        counts,
        key=lambda form: (-counts[form], form.islower(), len(form), form),
    )


def _choose(candidates: Sequence[_Candidate], notes: int) -> str | None:
    """Return the name that most notes share; a longer one where enough of them write it so."""
    least = max(ceil(_SHARE * notes), min(notes, 2))
    shared = []
    for one in candidates:
        everywhere = one.kind != _WORD_ONLY or (one.notes == notes > 1)
        if one.notes >= least and everywhere and len(one.form) <= NAME_LENGTH:
            shared.append(one)
    if not shared:
        return None
    best = min(
        shared,
        key=lambda one: (
            -one.notes,
            one.kind,
            one.place,
            -len(one.keys),
            one.form,
        ),
    )
    return _cite(_lengthen(best, candidates).form)


def _lengthen(best: _Candidate, candidates: Sequence[_Candidate]) -> _Candidate:
    """Return the longest name that has *best* in it and stands in half of its notes, or *best*."""
    longer = [best]
    for one in candidates:
        fits = _holds(one.keys, best.keys) and len(one.form) <= NAME_LENGTH
        least = best.notes / 2
        if best.kind != _PROPER:
            least = best.notes * 2 / 3
        often = one.notes >= least and one.notes >= min(2, best.notes)
        if fits and often and one.kind != _WORD_ONLY:
            longer.append(one)
    return min(longer, key=lambda one: (-len(one.keys), -one.notes, one.form))


def _holds(longer: tuple[str, ...], shorter: tuple[str, ...]) -> bool:
    size = len(shorter)
    starts = range(len(longer) - size + 1)
    return len(longer) > size and any(
        longer[at : at + size] == shorter for at in starts
    )


def _cite(form: str) -> str:
    """Return *form* as a title has it: its first letter is a capital ("iPhone" keeps its own)."""
    first = form.partition(" ")[0]
    if first.islower():
        return form[:1].upper() + form[1:]
    return form


def _find_detail(text: str, title: str) -> str:
    """Return the shortest whole clause of *text* that speaks of *title*; empty where none is."""
    known = set(_keys_of(title))
    found = []
    plain = " ".join(_NOT_WORDS.sub(_blank, blank_markup(text)).split())
    for number, sentence in enumerate(split_sentences(plain)):
        for clause in _list_clauses(sentence.strip()):
            detail = _without_subject(clause, title)
            size = len(_WORD.findall(detail))
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
    for key in dict.fromkeys(_keys_of(clause)):
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
    known = set(_keys_of(title))
    rest = clause.strip(" \"'\u201c\u201d\u201e")
    words = list(_WORD.finditer(rest))
    at = _skip_lead(words, known)
    begin = at
    while at < len(words) and _key(words[at].group()) in known:
        at += 1
    if at >= len(words):
        return ""
    if words[at].group().casefold() in _kinds()["prepositions"]:
        # "The allergy to nuts is gone": the name goes on
        at = begin
    return rest[words[at].start() :].strip()


def _skip_lead(words: Sequence[re.Match[str]], known: Collection[str]) -> int:
    """Return the place of the first of *words* behind an article, or behind all little words if
    one of *known* follows them.
    """
    for at, word in enumerate(words):
        if _key(word.group()) in known:
            return at
        if word.group().casefold() not in _little_words():
            break
    if words and _is_determiner(words[0].group()):
        return 1
    return 0


def _is_determiner(word: str) -> bool:
    return word.casefold() in _kinds()["determiners"]


def _kinds() -> dict[str, frozenset[str]]:
    return read_word_kinds(DATA)
