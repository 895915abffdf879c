"""Tell whether a question asks for yes or no, and what it would state (LED-13).

"Is Leo allergic to nuts?" would state that Leo is allergic to nuts. Where its subject ends nobody
needs to know: each place is tried, and only a matter that somebody told of answers. "Was Leo …"
asks whether it ever was so.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from companion.annotations import TYPE_CHECKING
from companion.answers.chains.denied import without_denial
from companion.language.words.question_words import (
    question_language,
    read_question_data,
)
from companion.patterns import lazy
from companion.storage.journal.journal import Journal
from companion.values.claims import split_words
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import AnswerResult

_LONGEST_SUBJECT = 6  # words
_LANGUAGES = ("en", "de")
_WORD = lazy(r"[\w'\u2019]+")
_FIRST_PERSONS = ("me", "us")
# kinds of words that open such a question, and that open another one
_VERBS = ("copulas", "auxiliaries", "modals")
_NO_VERBS = ("prepositions", "determiners", "breaks", "adverbs", "pronouns")


def find_polar_answers(
    ws: Workspace,
    db: sqlite3.Connection,
    journal: Journal,
    question: str,
    *,
    as_of: str | None,
) -> "list[AnswerResult]":
    """Return yes or no with the claims that say it; nothing where no claim is on the matter, or
    the question does not ask for yes or no. Raises BadTime.
    """
    statements = list(list_statements(question))
    if not statements:
        return []
    # most questions ask for more than yes or no, and need none of this
    from companion.answers.chains.polar_answers import judge_statements

    ever = _asks_past(question)
    return judge_statements(ws, db, journal, statements, as_of=as_of, ever=ever)


def list_statements(question: str) -> Iterator[str]:
    """Yield what *question* would state, for each place where its subject may end."""
    words = question.strip().rstrip("?! ").split()
    if len(words) < 3 or not _asks_yes_or_no(question):
        return
    choices = _list_words("or")
    if any(word.casefold() in choices for word in words):
        return  # "tea or coffee?" asks which
    verb, rest = words[0].lower(), words[1:]
    for size in range(1, min(len(rest), _LONGEST_SUBJECT + 1)):
        yield " ".join([*rest[:size], verb, *rest[size:]]) + "."


def _asks_yes_or_no(question: str) -> bool:
    """Tell whether *question* begins with a verb, as far as its first word shows."""
    low = question.split(maxsplit=1)[0].casefold()
    asking_in = [each for each in _LANGUAGES if _opens_other(low, each)]
    if not asking_in:
        is_question = question.rstrip().endswith("?")
        return _is_verb(low, _LANGUAGES) or (is_question and _may_be_verb(low))
    # most questions begin with such a word, and need no grammar; "was" is a verb in English
    words = split_words(question)
    language = question_language(words)
    if language in asking_in or not _is_verb(low, [language]):
        return False
    return not _are_any_verb(words[1:2], asking_in)


def asks_only_yes_or_no(question: str) -> bool:
    """Tell whether nothing but yes or no, or the notes themselves, can answer *question*.

    "Do you know where Leo lives?" asks where, "Tell me …" asks for something, and "Is there …", "Do
    we have …" for the thing; "Is there no …" does not.
    """
    words = [word.casefold() for word in _WORD.findall(question)]
    if len(words) < 3 or not _asks_yes_or_no(question):
        return False
    language = question_language(words)
    if language not in _LANGUAGES:
        return False
    first, subject, *rest = words
    if not _opens_question(first, language, question):
        return False
    if not _list_words("or").isdisjoint(words[1:]):
        return False
    if any(_asks_what(word, language) for word in rest):
        return False
    if without_denial(question).denied:
        return True  # "Is there no meeting on Monday?"
    return not _asks_for_thing(subject, first, language)


def _opens_question(first: str, language: str, question: str) -> bool:
    """Tell whether the verb *first* surely opens a question; a German one has any verb there."""
    from companion.language.claims.grammar import grammar_of

    grammar = grammar_of(language)
    if grammar.has_any(_VERBS, first):
        return True
    if not grammar.v2 or not question.rstrip().endswith("?"):
        return False
    return first.endswith("t") and grammar.lemma(first) is not None


def _asks_for_thing(subject: str, verb: str, language: str) -> bool:
    """Tell whether "you", "there" or a "we" that has something is asked."""
    from companion.language.claims.grammar import grammar_of

    grammar = grammar_of(language)
    if grammar.has_any(("second", "expletives"), subject):
        return True
    return subject in ("we", "wir", "es", "any") and (
        grammar.has("dos", verb) or grammar.lemma(verb) is not None
    )


def _is_verb(low: str, languages: Iterable[str]) -> bool:
    from companion.language.claims.grammar import grammar_of

    return any(grammar_of(each).has_any(_VERBS, low) for each in languages)


def _are_any_verb(words: Sequence[str], languages: Iterable[str]) -> bool:
    """Tell whether one of *words* is a form of a verb: "Was leitet Lukas?" is German."""
    from companion.language.claims.grammar import grammar_of

    pairs = product(languages, words)
    return any(grammar_of(each).lemma(word) for each, word in pairs)


def _may_be_verb(low: str) -> bool:
    from companion.language.claims.grammar import grammar_of

    return not any(
        grammar_of(each).has_any(_NO_VERBS, low) for each in _LANGUAGES
    )


def _asks_what(low: str, language: str) -> bool:
    """Tell whether the word *low* asks for more than yes or no."""
    data = read_question_data()[language]
    return low in data["asks"] or low in data["words"]["which"].split()


def _opens_other(low: str, language: str) -> bool:
    """Tell whether the word *low* opens a question for more than yes or no: "wie", which compares
    where it stands later.
    """
    words = read_question_data()[language]["words"]
    opening = f"{words['turned']} {words['reasons']}".split()
    return low in opening or _asks_what(low, language)


def _asks_past(question: str) -> bool:
    """Tell whether *question* asks for what was so: "Was Leo …", "Has Leo finished …"."""
    from companion.language.claims.grammar import grammar_of

    words = [word.casefold() for word in _WORD.findall(question)]
    if not words:
        return False  # "🙂 🙂 🙂?"
    low, *rest = words
    for grammar in map(grammar_of, _LANGUAGES):
        if grammar.has("pasts", low):
            return True
        if grammar.has("perfects", low) and any(map(grammar.participle, rest)):
            return True
    return False


def _list_words(kind: str) -> set[str]:
    """Return the words of a *kind* in the languages of questions."""
    found: set[str] = set()
    for data in read_question_data().values():
        found.update(data["words"][kind].split())
    return found
