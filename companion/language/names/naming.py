"""Name what notes are about, as a person would title it: the name of a thing, never a sentence.

A thing is called what its notes call it: the proper name or noun that most of them share, in the
form in which they write it most, with a capital and without article or possessive. Verbs, dates,
numbers and words that any note has name nothing. Pure: the same notes give the same name.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from companion.language.detect import LANGUAGES, function_words
from companion.language.names.name_forms import name_forms
from companion.language.sentence_ends import split_sentences
from companion.language.sentences import blank_markup
from companion.language.word_kinds import read_word_kinds

DATA = "naming.txt"
NAME_LENGTH = 60  # characters of a name

WORD = re.compile(r"[^\W_](?:[\w'\u2019&-]*[^\W_])?")
_GAP = re.compile(r"\.?[ \u00a0]")
_POSSESSIVE = re.compile(r"['\u2019]s?$")
NOT_WORDS = re.compile(r"\S+@\S+|\b(?:https?:|www\.)\S+|#\S+")
_LONGEST_NAME = 4  # words
_SHARE = 0.7  # of the notes that must call the thing by its name
# the kinds of candidates, the best first
_PROPER, _NOUN, _WORD_ONLY = range(3)
# "-ed" and "-ing" begin a note as verbs: "Repaired the roof"
_VERB_ENDING = re.compile(r"(?:ed|ing)$")


class Word(NamedTuple):
    """A word of a note, where it stands in its sentence, and its key."""

    text: str
    key: str  # the shortest form that it may be one of
    start: int
    first: bool  # it begins its sentence


class Note(NamedTuple):
    """The words of one note, with the text that they stand in."""

    text: str
    sentences: list[list[Word]]


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
    notes = [read_note(text) for text in texts]
    refused = {list_keys(source) for source in sources}
    known = {keys: _PROPER for keys in map(list_keys, hints) if keys}
    for hinted in _weigh_all(known, refused, notes):
        if hinted.notes:
            return _cite(hinted.form)
    candidates = _weigh_all(_spot_names(notes), refused, notes)
    least = max(ceil(_SHARE * len(notes)), min(len(notes), 2))
    return _choose(list(candidates), len(notes), least)


def _weigh_all(
    names: Mapping[tuple[str, ...], int],
    refused: Collection[tuple[str, ...]],
    notes: Sequence[Note],
) -> Iterator[_Candidate]:
    """Yield those of *names* that name something, in their order."""
    for keys, kind in names.items():
        if keys not in refused and not names_nothing(keys):
            yield _weigh(keys, kind, notes)


def read_note(text: str) -> Note:
    plain = NOT_WORDS.sub(blank, blank_markup(text))
    sentences = []
    at = 0
    for line in plain.split("\n"):
        for part in split_sentences(line):
            words = _read_words(part, at)
            if words:
                sentences.append(words)
            at += len(part)
        at += 1
    return Note(plain, sentences)


def _read_words(sentence: str, at: int) -> list[Word]:
    words: list[Word] = []
    for match in WORD.finditer(sentence):
        words.append(
            Word(
                match.group(),
                find_key(match.group()),
                at + match.start(),
                not words,
            )
        )
    return words


def find_key(word: str) -> str:
    """Return the shortest form that *word* may be one of: "Annas" and "Anna" are one name."""
    key = _POSSESSIVE.sub("", word).casefold()
    shorter = min(name_forms(key), key=len)
    while shorter != key:
        key = shorter
        shorter = min(name_forms(key), key=len)
    return key


def list_keys(name: str) -> tuple[str, ...]:
    """Return the key of each word of a name."""
    return tuple(find_key(word) for word in WORD.findall(name))


def blank(match: re.Match[str]) -> str:
    """Return spaces in the place of what was matched."""
    return " " * len(match.group())


def _spot_names(notes: Sequence[Note]) -> dict[tuple[str, ...], int]:
    """Return what may name a thing in *notes*, with the best kind that it was met as."""
    capitals = list_capitals(notes)
    names: dict[tuple[str, ...], int] = {}
    for note in notes:
        for sentence in note.sentences:
            for run in proper_runs(note, sentence, capitals):
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
    names: dict[tuple[str, ...], int], run: Sequence[Word], kind: int
) -> None:
    """Add every stretch of *run* that neither begins nor ends with a particle."""
    for start in range(len(run)):
        for end in range(start + 1, min(len(run), start + _LONGEST_NAME) + 1):
            _add_name(names, run[start:end], kind)


def _add_name(
    names: dict[tuple[str, ...], int], part: Sequence[Word], kind: int
) -> None:
    if is_little(part[0]) or is_little(part[-1]):
        return
    keys = tuple(word.key for word in part)
    names[keys] = min(kind, names.get(keys, kind))


def list_capitals(notes: Sequence[Note]) -> dict[str, bool]:
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


def proper_runs(
    note: Note, sentence: Sequence[Word], capitals: Mapping[str, bool]
) -> Iterator[list[Word]]:
    """Yield the stretches of *sentence* whose words have a capital of their own."""
    run: list[Word] = []
    for at, word in enumerate(sentence):
        adjoins = bool(run) and adjoin(note, run[-1], word)
        if run and not adjoins:
            yield _without_particles(run)
            run = []
        if _is_proper(sentence, at, capitals) or (
            run and word.text in read_kinds()["particles"]
        ):
            run.append(word)
        elif run:
            yield _without_particles(run)
            run = []
    if run:
        yield _without_particles(run)


def _without_particles(run: list[Word]) -> list[Word]:
    while run and run[-1].text in read_kinds()["particles"]:
        run = run[:-1]
    return run


def _is_proper(
    sentence: Sequence[Word], at: int, capitals: Mapping[str, bool]
) -> bool:
    word = sentence[at]
    if not word.text[0].isupper() or is_little(word):
        return False
    if not word.first:
        return True
    if word.key in capitals:
        return capitals[word.key]
    low = word.text.casefold()
    if low in read_kinds()["verbs"] or _VERB_ENDING.search(low):
        return False
    # "Water the plants": what a determiner follows is a verb
    follows = sentence[at + 1].text if at + 1 < len(sentence) else ""
    return follows not in read_kinds()["determiners"]


def _noun_runs(note: Note, sentence: Sequence[Word]) -> Iterator[list[Word]]:
    """Yield the words behind "the" or "my" up to the next little word or verb."""
    for at, word in enumerate(sentence):
        low = word.text.casefold()
        if low not in read_kinds()["determiners"] and not word.text.endswith(
            ("'s", "\u2019s")
        ):
            continue
        run = [word]
        for following in sentence[at + 1 : at + 4]:
            if not adjoin(note, run[-1], following):
                break
            if is_little(following) or _is_verb(following):
                break
            run.append(following)
        if len(run) > 1:
            yield run[1:]


def adjoin(note: Note, one: Word, other: Word) -> bool:
    between = note.text[one.start + len(one.text) : other.start]
    return _GAP.fullmatch(between) is not None


def _is_verb(word: Word) -> bool:
    low = word.text.casefold()
    return word.text.islower() and (
        low in read_kinds()["verbs"] or low.endswith("ed")
    )


def is_little(word: Word) -> bool:
    low = word.text.casefold()
    if low in list_little_words() or low in read_kinds()["determiners"]:
        return True
    return len(word.text) == 1 or not any(map(str.isalpha, word.text))


def list_little_words() -> frozenset[str]:
    """Return the function words of every language."""
    words: frozenset[str] = frozenset()
    for language in LANGUAGES:
        words |= function_words()[language]
    return words


def names_nothing(keys: tuple[str, ...]) -> bool:
    """Tell whether no word of a name says what it is: "Monday", "last time"."""
    refused = {find_key(word) for word in read_kinds()["refused"]}
    verbs = read_kinds()["verbs"]
    return all(key in refused or key in verbs for key in keys)


def _weigh(
    keys: tuple[str, ...], kind: int, notes: Sequence[Note]
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


def _find_spots(keys: tuple[str, ...], note: Note) -> Iterator[Sequence[Word]]:
    for sentence in note.sentences:
        for at in range(len(sentence) - len(keys) + 1):
            part = sentence[at : at + len(keys)]
            if tuple(word.key for word in part) != keys:
                continue
            if all(adjoin(note, one, other) for one, other in pairwise(part)):
                yield part


def _form_of(note: Note, words: Sequence[Word]) -> str:
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


def _choose(
    candidates: Sequence[_Candidate], notes: int, least: int
) -> str | None:
    """Return the name that most of *notes* share, *least* of them or more; a longer one where
    enough of them write it so.
    """
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


def read_kinds() -> dict[str, frozenset[str]]:
    """Return the words of `DATA` by kind."""
    return read_word_kinds(DATA)
