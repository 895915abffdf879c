"""Tell whether a note that was told later may have taken the place of an answer.

No rule reads a claim in "Dosis erhöht, jetzt 10 mg", yet nobody should be told "5 mg" after it. A
note is taken to do so that tells of a change and speaks of what was asked, or has another value of
the kind of the answer: a weekday, an hour, a date, an amount in the same unit. One that says what
was asked, of whom it was asked, with another such value does so without a word of change.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from companion.annotations import TYPE_CHECKING
from companion.answers.notes.read_asked import COMPOUNDING, Asked, stem_words
from companion.answers.notes.things import names_its_thing
from companion.answers.question import plain
from companion.language.detect import language_of
from companion.language.words.compounds import is_compound_of
from companion.language.words.question_words import (
    read_change_verbs,
    read_question_data,
)
from companion.language.words.stop_words import STOP_WORDS
from companion.patterns import lazy
from companion.storage.index.terms import split_words
from companion.tuples import NamedTuple

if TYPE_CHECKING:
    from companion.language.claims.grammar import Grammar

_HOUR = lazy(r"\b\d{1,2}[:.]\d{2}\b|\b\d{1,2} ?(?:[ap]m\b|uhr\b|o'clock)")
_WORD = lazy(r"[^\W\d_]+")
_DATE = lazy(r"\b\d{4}-\d{2}-\d{2}\b")
_AMOUNT = lazy(r"\d[\d.,]*\.? ?([^\W\d_]+|[€$£%])|([€$£]) ?\d")
# "a new lid" is a change, but seldom of what was asked
_SLIGHT = ("new", "neu")


_TIMES = frozenset(("weekday", "hour", "date"))
# what a change of a thing may change that a question names alone: "Who has the drill?"
_WHERE_OR_WHEN = ("place", "time", "agent")


# each later note is weighed, and asked whether it overtakes
@lru_cache(maxsize=256)
def tells_change(text: str, language: str) -> bool:
    """Tell whether *text* has words of a change, or a verb of one."""
    # word lists: only an answer with later notes needs them
    from companion.language.claims.grammar import grammar_of
    from companion.language.claims.verbs import is_change

    grammar = grammar_of(language)
    moved = read_question_data()[language]["words"]["moved"].split()
    if not set(moved).isdisjoint(split_words(text)):
        return True
    return is_change(text, grammar) or _has_verb_of_change(text, grammar)


def overtakes(text: str, title: str, asked: Asked) -> bool:
    """Tell whether after the note *text* of the page *title* the answer may be so no longer."""
    words = split_words(text)
    stems = stem_words(words, asked.language)
    headed = stems | stem_words(split_words(title), asked.language)
    is_named = names_all(asked.named, headed, asked.language)
    is_named = is_named or names_its_thing(text, words, asked)
    languages = _list_languages(text, asked)
    if asked.asks_who and _gives_up(text, stems, asked, languages):
        return True
    # words of a change last: they cost most
    if not (is_named or asked.named & headed or _names_beginning(stems, asked)):
        return False
    note = _Note(text, words, stems, is_named=is_named)
    return any(_overtakes_in(note, asked, language) for language in languages)


class _Note(NamedTuple):
    """A later note as it is weighed; words are stems of the question's language."""

    text: str
    words: Sequence[str]
    stems: frozenset[str]
    is_named: bool  # it names all of whom or what the answer is of


def _list_languages(text: str, asked: Asked) -> list[str]:
    """Return the languages that changes in *text* are told in: the note's own first, then that of
    the question.
    """
    own = language_of(text)
    if own is None or own == asked.language:
        return [asked.language]
    if own not in read_question_data():
        return [asked.language]
    return [own, asked.language]


def _overtakes_in(note: _Note, asked: Asked, language: str) -> bool:
    """Tell whether *note*, which names something of the answer, overtakes it, in *language*."""
    from companion.language.claims.grammar import grammar_of

    if note.is_named and _ends(note.text, asked):
        return True
    if _goes_back(note, asked, language) or _is_off(note, asked, language):
        return True
    grammar = grammar_of(language)
    if any(grammar.has("additive", word) for word in note.words):
        return False
    if _gives_other_value(note, asked, grammar):
        return True
    if not _replaces(note.text, grammar):
        return False
    if _changes_slightly(note.text, grammar):
        return _renews_it(note, asked, grammar)
    return _changes_it(note, asked, grammar)


def _is_off(note: _Note, asked: Asked, language: str) -> bool:
    """Tell whether *note* calls off what has the time that was asked for, or gives it a new one."""
    if not note.is_named or asked.wants != "time":
        return False
    from companion.answers.notes.giving_way import is_called_off

    return is_called_off(note.text, language)


def _gives_other_value(note: _Note, asked: Asked, grammar: "Grammar") -> bool:
    """Tell whether *note* says what was asked otherwise, with or without a word of change."""
    if note.is_named:
        if _says_it_otherwise(note.text, note.stems, asked, grammar):
            return True
        if _has_other_amount(note.text, asked, grammar):
            return True
    return _goes_elsewhere(note, asked, grammar)


def _renews_it(note: _Note, asked: Asked, grammar: "Grammar") -> bool:
    """Tell whether what *note* calls new is what was asked, or has another value of its kind."""
    if not note.is_named:
        return False
    if note.stems & asked.beside_name or _has_new(note.words, asked, grammar):
        return True
    return _has_value_of_kind(note.text, note.stems, asked, grammar)


def _has_new(words: Sequence[str], asked: Asked, grammar: "Grammar") -> bool:
    """Tell whether *words* call the very thing new that the answer is of: "new landlord"."""
    return any(
        grammar.has("renewed", one)
        and stem_words([other], asked.language) <= asked.named
        for one, other in pairwise(words)
    )


def _changes_it(note: _Note, asked: Asked, grammar: "Grammar") -> bool:
    """Tell whether the change that *note* tells of is one of what was asked, or of the answer."""
    if note.is_named and _speaks_of_it(note.stems, asked):
        return True
    if _has_answer(note.stems, asked, grammar, is_named=note.is_named):
        return True
    if not _is_of_same(note.stems, asked):
        return False
    if note.is_named and _changes_value(note.words, asked, grammar):
        return True
    if note.is_named and _has_bare_number(note.text, asked, grammar):
        return True
    return _has_value_of_kind(note.text, note.stems, asked, grammar)


def _gives_up(
    text: str,
    stems: frozenset[str],
    asked: Asked,
    languages: Sequence[str],
) -> bool:
    """Tell whether *text* says that the answer itself, a person, gave up what they did."""
    if stems.isdisjoint(asked.answered):
        return False
    from companion.answers.notes.giving_way import gives_up

    return any(gives_up(text, asked.value, language) for language in languages)


def _has_other_amount(text: str, asked: Asked, grammar: "Grammar") -> bool:
    """Tell whether *text* gives another amount beside the name."""
    from companion.answers.notes.named_amounts import has_other_amount

    names = asked.named or asked.beside_name
    if _kinds_of_answer(asked, grammar) & _TIMES:
        return False
    return has_other_amount(text, names, asked.value, asked.language)


def _goes_elsewhere(note: _Note, asked: Asked, grammar: "Grammar") -> bool:
    """Tell whether *note* says which way the thing went that was asked for."""
    if asked.wants != "place":
        return False
    value = stem_words(split_words(asked.value), asked.language)
    has_answer = bool(value) and value <= note.stems
    if not (note.is_named or has_answer):
        return False
    from companion.answers.notes.giving_way import goes_somewhere

    return goes_somewhere(note.text, grammar.language)


def _goes_back(note: _Note, asked: Asked, language: str) -> bool:
    """Tell whether *note* says that a thing is no longer where, or with whom, it was, or denies the
    answer itself.
    """
    from companion.answers.notes.giving_way import denies, goes_back
    from companion.language.claims.grammar import grammar_of

    # "Lisa lost the key", of the spare flat key that Lisa has
    has_holder = asked.asks_who and asked.value_words <= note.stems
    if not (note.is_named or (has_holder and note.stems & asked.named)):
        return False
    if denies(note.words, asked.value, grammar_of(language)):
        return True
    return goes_back(note.words, asked, language)


def _names_beginning(stems: frozenset[str], asked: Asked) -> bool:
    """Tell whether *stems* name a thing by how its name begins, at a place of the same kind:
    "Ultraschall in Raum 1" of the "Ultraschallgerät" in "Raum 3".
    """
    if asked.wants != "place" or asked.language not in COMPOUNDING:
        return False
    if asked.value_words.isdisjoint(stems):
        return False
    return any(
        name.startswith(stem) and is_compound_of(name, stem)
        for name in asked.named
        for stem in stems
    )


def _ends(text: str, asked: Asked) -> bool:
    """Tell whether *text* has a verb that ends what was answered, in any language of such verbs."""
    from companion.language.claims.grammar import grammar_of

    ending = _list_ending_verbs(asked.matter)
    if not ending:
        return False
    words = _WORD.findall(text.lower())
    for language in read_change_verbs():
        lemma = grammar_of(language).lemma
        if any(lemma(word) in ending for word in words):
            return True
    return False


@lru_cache(maxsize=64)
def _list_ending_verbs(matter: str) -> frozenset[str]:
    """Return the verbs that end a *matter* with a preposition, in all languages: of "work for"
    "resign from" and "kündigen bei"; verbs that may only change it are not among them.
    """
    tables = read_change_verbs()
    names = {
        name
        for table in tables.values()
        for name, one in table.items()
        if matter and matter in one.get("states", "").split("|")
    }
    verbs: set[str] = set()
    for table in tables.values():
        for name in names & set(table):
            verbs |= _read_ending_verbs(table[name])
    return frozenset(verbs)


def _read_ending_verbs(table: "Mapping[str, str]") -> set[str]:
    changes = table.get("changes", "").split("|")
    changing = {phrase.partition(" ")[0] for phrase in changes}
    ending = set()
    for phrase in table.get("ends", "").split("|"):
        verb, _, preposition = phrase.partition(" ")
        if preposition and verb not in changing:
            ending.add(verb)
    return ending


def _replaces(text: str, grammar: "Grammar") -> bool:
    """Tell whether *text* tells of a change."""
    if grammar.matches("change.restored", text):
        return True
    return tells_change(text, grammar.language)


def names_all(
    names: frozenset[str], stems: frozenset[str], language: str
) -> bool:
    """Tell whether *stems* has all *names*; in German also as a part: "Gartenhausschlüssel"."""
    missing = names - stems
    if language not in COMPOUNDING:
        return not missing
    return all(
        any(is_compound_of(stem, name) for stem in stems) for name in missing
    )


def _has_verb_of_change(text: str, grammar: "Grammar") -> bool:
    # with their accents, as verbs are listed
    words = _WORD.findall(text.lower())
    lemmas = [grammar.lemma(word) or "" for word in words]
    return any(
        lemma in grammar.changes or grammar.has("handing_on", lemma)
        for lemma in lemmas
    )


def _changes_slightly(text: str, grammar: "Grammar") -> bool:
    """Tell whether all that tells of a change is that something is new."""
    change = grammar.find("change.words", text)
    if change is None or _has_verb_of_change(text, grammar):
        return False
    return change.group().lower().startswith(_SLIGHT)


def _is_of_same(stems: frozenset[str], asked: Asked) -> bool:
    """Tell whether a note with the kind of value that was asked for is of whom was asked, if only
    by a part of the name: of "swimming lessons" is "swimming".

    What is the asker's has no name, so a word of the question must say it.
    """
    return bool(asked.named) or bool(stems & asked.asked)


def _speaks_of_it(stems: frozenset[str], asked: Asked) -> bool:
    """Tell whether a note of whom was asked speaks of what was asked, too."""
    if stems & asked.beside_name:
        return True
    # "What is the bike lock code?" has no word beside the name of just that
    is_told_apart = asked.wants in _WHERE_OR_WHEN or len(asked.named) > 1
    return not asked.beside_name and is_told_apart


def _has_answer(
    stems: frozenset[str], asked: Asked, grammar: "Grammar", *, is_named: bool
) -> bool:
    """Tell whether what was the answer changes itself: "Nadia left", "switched from Netcom"."""
    value = stem_words(split_words(asked.value), asked.language)
    if _kinds_of_answer(asked, grammar):
        return False
    # "Gerald handed over": of a note of the same office, a part of the name is enough
    if is_named and not value.isdisjoint(stems):
        return True
    # "the tin was full, the fuses are in the drawer now", of the spare fuses in the blue tin
    if asked.wants == "place" and not asked.value_words.isdisjoint(stems):
        return True
    return bool(value) and value <= stems


def _changes_value(
    words: Sequence[str], asked: Asked, grammar: "Grammar"
) -> bool:
    """Tell whether a note gives a value of the kind asked for a change: "postponed to September" to
    "when", "raised to 68" to "how much".
    """
    data = read_question_data()[grammar.language]["words"]
    if asked.wants == "time":
        said = set(words)
        times = data["months"].split()
        return not said.isdisjoint(times) and not said.isdisjoint(
            data["moved"].split()
        )
    if asked.wants == "number" and any(map(str.isdigit, words)):
        amounts = read_change_verbs()[grammar.language]["amount"]["changes"]
        verbs = {verb.partition(" ")[0] for verb in amounts.split("|")}
        return any(grammar.lemma(word) in verbs for word in words)
    return False


def _has_bare_number(text: str, asked: Asked, grammar: "Grammar") -> bool:
    """Tell whether *text* has a number of nothing where the answer is an amount."""
    kinds = _kinds_of_answer(asked, grammar)
    if not kinds or kinds & _TIMES:
        return False
    from companion.answers.notes.named_amounts import has_bare_number

    return has_bare_number(text, grammar.language)


# -- values of a kind ------------------------------------------------------------------------------


def _says_it_otherwise(
    text: str, stems: frozenset[str], asked: Asked, grammar: "Grammar"
) -> bool:
    """Tell whether *text* says what was asked with another value: "he comes on Monday now"; "schon
    am 15. Oktober" is one of whatever has a date.
    """
    if not stems & asked.beside_name:
        sooner = read_question_data()[grammar.language]["words"]["sooner"]
        if set(sooner.split()).isdisjoint(split_words(text)):
            return False
    return _has_value_of_kind(text, stems, asked, grammar)


def _has_value_of_kind(
    text: str, stems: frozenset[str], asked: Asked, grammar: "Grammar"
) -> bool:
    """Tell whether *text* has a value of the kind of the answer, and not the answer itself."""
    if stem_words(split_words(asked.value), asked.language) <= stems:
        return False
    kinds = _kinds_of_answer(asked, grammar)
    return bool(kinds & _kinds_of_values(text, grammar.language, grammar))


def _kinds_of_answer(asked: Asked, grammar: "Grammar") -> set[str]:
    """Return of which kinds the values of the answer are, by words of the question's language and
    of that of a *grammar*.
    """
    from companion.language.claims.grammar import grammar_of

    own = grammar_of(asked.language)
    kinds = _kinds_of_values(asked.value, asked.language, own)
    if grammar.language != asked.language:
        kinds |= _kinds_of_values(asked.value, grammar.language, grammar)
    return kinds


def _kinds_of_values(text: str, language: str, grammar: "Grammar") -> set[str]:
    """Return of which kinds the values in *text* are: "weekday", "hour", "date", units."""
    low = text.lower()
    kinds: set[str] = set()
    if any(grammar.has("weekdays", word) for word in split_words(low)):
        kinds.add("weekday")
    if _HOUR.search(low):
        kinds.add("hour")
    if _DATE.search(low):
        kinds.add("date")
    months = read_question_data()[language]["words"]["months"].split()
    for behind, before in _AMOUNT.findall(low):
        unit = plain(behind or before)
        if unit not in STOP_WORDS[language]:
            kinds.add("date" if unit in months else unit)
    return kinds
