"""Answer a question for yes or no: what it would state is looked up among the claims (LED-13).

"Is Leo allergic to nuts?" would state that Leo is allergic to nuts. Where its subject ends nobody
needs to know: each place is tried, and only a matter that somebody told of answers. "Was Leo …"
asks whether it ever was so.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from companion.annotations import TYPE_CHECKING
from companion.answers.chains.covers import Step
from companion.answers.claims import describe_step
from companion.language.words.question_words import (
    question_language,
    read_question_data,
)
from companion.ledger.claims_of_key import list_claims_on_matter
from companion.ledger.resolve import RuleBook, holds, open_rule_book
from companion.ledger.settlement import LIVE, Standing, Status
from companion.patterns import lazy
from companion.storage.index import isolation
from companion.storage.index.tables.claims import RecordedClaim
from companion.storage.journal.journal import Journal
from companion.storage.journal.verdicts import Verdicts
from companion.tuples import NamedTuple
from companion.values.captures import OWNER
from companion.values.claims import Claim, normal, split_words
from companion.values.time import LATEST, parse_instant, reached
from companion.workspace import Workspace

if TYPE_CHECKING:
    from companion.answers.results import AnswerResult

_LONGEST_SUBJECT = 6  # words
_WORDS = {
    "en": ("yes", "no"),
    "de": ("ja", "nein"),
}
_WORD = lazy(r"[\w'\u2019]+")
_FIRST_PERSONS = ("me", "us")
# kinds of words that open such a question, and that open another one
_VERBS = ("copulas", "auxiliaries", "modals")
_NO_VERBS = ("prepositions", "determiners", "breaks", "adverbs", "pronouns")
# how a claim stands that once was so
_GONE: tuple[Status, ...] = ("ended", "superseded")
_ONCE = (*LIVE, *_GONE)


class _Verdict(NamedTuple):
    """What the claims of a matter say to a value that is asked for."""

    is_so: bool
    claims: tuple[RecordedClaim, ...]  # that say it
    is_disputed: bool = False


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
    ever = _asks_past(question)
    now = ws.present(journal)
    at = parse_instant(as_of) if as_of else None
    with isolation.reading(db) as view:
        book = open_rule_book(view, Verdicts(journal, db))
        for claim in _read_claims(statements, now):
            if claim.key[0] in _FIRST_PERSONS and ws.who != OWNER:
                continue
            group = list_claims_on_matter(view.db, claim.key)
            told = [one.assertion.told_at for one in group]
            standings = _settle(book, group, at or reached(now, told))
            by_id = {one.assertion.id: one for one in group}
            verdict = _judge(standings, by_id, claim, ever=ever)
            if verdict is not None:
                return [_describe(verdict, claim)]
    return []


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
    asking_in = [each for each in _WORDS if _opens_other(low, each)]
    if not asking_in:
        is_question = question.rstrip().endswith("?")
        return _is_verb(low, _WORDS) or (is_question and _may_be_verb(low))
    # most questions begin with such a word, and need no grammar; "was" is a verb in English
    words = split_words(question)
    language = question_language(words)
    if language in asking_in or not _is_verb(low, [language]):
        return False
    return not _are_any_verb(words[1:2], asking_in)


def asks_only_yes_or_no(question: str) -> bool:
    """Tell whether nothing but yes or no, or the notes themselves, can answer *question*.

    "Do you know where Leo lives?" asks where, "Tell me …" asks for something, and "Is there …", "Do
    we have …" for the thing.
    """
    words = [word.casefold() for word in _WORD.findall(question)]
    if len(words) < 3 or not _asks_yes_or_no(question):
        return False
    language = question_language(words)
    if language not in _WORDS:
        return False
    first, subject, *rest = words
    if not _opens_question(first, language, question):
        return False
    if subject in _list_words("or") or set(rest) & _list_words("or"):
        return False
    if any(_asks_what(word, language) for word in rest):
        return False
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

    return not any(grammar_of(each).has_any(_NO_VERBS, low) for each in _WORDS)


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
    for grammar in map(grammar_of, _WORDS):
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


def _read_claims(statements: Sequence[str], now: str) -> Iterator[Claim]:
    # a question that does not ask for yes or no needs no reader of claims
    from companion.language.claims.extract import LightExtractor

    extractor = LightExtractor()
    for statement in statements:
        for claim in extractor.extract(statement, event_time=now):
            if claim.mood == "confirmed":  # "Will Anna …" asks for a plan
                yield claim


def _settle(
    book: RuleBook, group: Sequence[RecordedClaim], moment: str
) -> list[Standing]:
    """Return how the claims of a matter stand that had begun at *moment*."""
    if not group:
        return []
    standings = book.settle(group, at=moment, known_at=LATEST)
    return [one for one in standings if one.assertion.valid_from <= moment]


def _judge(
    standings: Sequence[Standing],
    by_id: dict[str, RecordedClaim],
    asked: Claim,
    *,
    ever: bool,
) -> _Verdict | None:
    """Return what the claims of a matter say to *asked*; None where they say nothing."""
    value = normal(asked.object)
    of_value = [one for one in standings if one.assertion.value == value]
    telling = _list_telling(of_value, by_id, _ONCE if ever else LIVE)
    said, denied = telling[True], telling[False]
    if said:
        disputed = bool(denied) and not ever
        return _Verdict(not asked.negated, tuple(said), is_disputed=disputed)
    if not ever and not denied and _has_one_value(of_value, asked):
        denied = _list_holding(standings, by_id)
    return _Verdict(asked.negated, tuple(denied)) if denied else None


def _list_holding(
    standings: Sequence[Standing], by_id: dict[str, RecordedClaim]
) -> list[RecordedClaim]:
    """Return the claims of a matter that hold: it has another value."""
    return [by_id[one.assertion.id] for one in standings if holds(one)]


def _has_one_value(of_value: Sequence[Standing], asked: Claim) -> bool:
    """Tell whether another value denies the one *asked* for: it gave way to one before, or there is
    one at a time.
    """
    return asked.functional or any(one.status in _GONE for one in of_value)


def _list_telling(
    standings: Sequence[Standing],
    by_id: dict[str, RecordedClaim],
    statuses: Sequence[Status],
) -> dict[bool, list[RecordedClaim]]:
    """Return the claims of one of *statuses* that say that it is so, and those that deny it."""
    telling: dict[bool, list[RecordedClaim]] = {True: [], False: []}
    for one in standings:
        if one.status in statuses:
            telling[not one.assertion.negated].append(by_id[one.assertion.id])
    return telling


def _describe(verdict: _Verdict, asked: Claim) -> "AnswerResult":
    language = asked.rule.partition("/")[0]
    yes, no = _WORDS.get(language, _WORDS["en"])
    first = verdict.claims[0]
    same = [
        one
        for one in verdict.claims
        if one.assertion.value == first.assertion.value
    ]
    seen = {one.assertion.id: one for one in same}
    step = Step(first.assertion.key, first.predicate, "", tuple(seen))
    described = describe_step(step, seen)
    if first.assertion.negated:
        described["object"] = f"not {described['object']}"
    return {
        "value": yes if verdict.is_so else no,
        "score": 1.0,
        "disputed": verdict.is_disputed,
        "path": [described],
    }
