"""Tell at which time a question asks: for what happened, or for what is to come."""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta

from companion.annotations import TYPE_CHECKING
from companion.answers.notes import OVERTOOK
from companion.answers.polar import asks_only_yes_or_no
from companion.answers.question import plain
from companion.language.words.question_words import (
    question_language,
    read_question_data,
)
from companion.pages.statements import statement_id
from companion.patterns import lazy
from companion.tuples import NamedTuple
from companion.values.claims import split_words

if TYPE_CHECKING:
    from companion.answers.results import StepResult, UnphrasedAnswer
    from companion.language.claims.grammar import Grammar
    from companion.language.detect import LanguageData
    from companion.language.times.mentions import Mention

# tables of questions that mean the same; what something is called is no answer but its name
_NAMING = "naming"
_NAME = "name"  # in both languages
_MEANING_THE_SAME = ("costing", _NAMING)
_WHO = ("who", "what", "which")
_INSTANT = "%Y-%m-%dT%H:%M:%S.%fZ"
# roles of a time in a question that say at which time the answer is wanted
_ROLES_OF_TIME = ("at", "as_of", "before", "until")
_PARTICIPLE = lazy(r"(?:ge|be|ver|er|ent)\w+(?:t|en)")  # in German


class Otherwise(NamedTuple):
    """A question that means the same as another one."""

    question: str
    wants_name: bool  # only a name answers it


def ask_plainly(question: str) -> str:
    """Return *question* with "when" for "at what time", "how much" for "how expensive", and "what
    is Leo allergic to" for "is Leo allergic to anything".
    """
    words = question.rstrip("?! ").split()
    hourly = _find_hour_words(question)
    if hourly is not None:
        size, when = hourly
        return " ".join([when.capitalize(), *words[size:]]) + "?"
    for data in read_question_data().values():
        for phrase, meant in data.get("priced", {}).items():
            if rest := _find_rest(words, phrase):
                return f"{meant.format(rest)}?"
        for at, word in enumerate(words):
            what = data.get("anything", {}).get(word.casefold())
            if what and at and asks_only_yes_or_no(question):
                return _ask_for_what(words, at, what, data) or question
    return question


def _ask_for_what(
    words: list[str], at: int, what: str, data: "LanguageData"
) -> str:
    """Return a question for yes or no, whose *words* have "anything" at *at*, as one for *what* it
    is: "Ist Leo gegen etwas allergisch" asks "wogegen"; "" where it may be part of a name.
    """
    prepositions = data.get("prepositions", {})
    asking = {behind: one for one, behind in prepositions.items()}
    before = plain(words[at - 1])
    if before in asking:
        rest = [*words[: at - 1], *words[at + 1 :]]
        return " ".join([asking[before].capitalize(), *rest]) + "?"
    if at + 1 < len(words):
        return ""
    return " ".join([what.capitalize(), *words[:-1]]) + "?"


def asks_for_hour(question: str) -> bool:
    """Tell whether *question* asks at what time of the day."""
    return _find_hour_words(question) is not None


def _find_hour_words(question: str) -> tuple[int, str] | None:
    """Return how many words of *question* ask for an hour, and the word that says the same; None
    where none do.
    """
    low = " ".join(question.split()).casefold()
    for data in read_question_data().values():
        for phrase, when in data["hourly"].items():
            if low.startswith(f"{phrase} "):
                return len(phrase.split()), when
    return None


def list_otherwise(question: str, *, hourly: bool) -> Iterator[Otherwise]:
    """Yield questions that mean the same as a plain *question* that nothing answers: for an hour
    "When is choir?" is "When does choir start?"; "How much is the rent?" is "What does the rent
    cost?", and "What is Ben's dog called?" is "What is the name of Ben's dog?".
    """
    words = question.rstrip("?! ").split()
    for data in read_question_data().values():
        for kind in ("starting",) if hourly else _MEANING_THE_SAME:
            for phrase, meant in data.get(kind, {}).items():
                rest = _find_rest(words, phrase)
                if rest:
                    same = f"{meant.format(rest)}?"
                    yield Otherwise(same, wants_name=kind == _NAMING)


def _find_rest(words: list[str], phrase: str) -> str:
    """Return what *words* have in the place of "{}" in *phrase*; "" where they are another one."""
    begin, _, end = (part.split() for part in phrase.partition("{}"))
    size = len(words) - len(end)
    low = [word.casefold() for word in words]
    if low[: len(begin)] != begin or low[size:] != end:
        return ""
    return " ".join(words[len(begin) : size])


def is_better(
    other: "UnphrasedAnswer", nearest: "UnphrasedAnswer", *, wants_name: bool
) -> bool:
    """Tell whether *other* is an answer, or shows what it gave way to: better than the notes
    *nearest* to the question. Where it *wants_name*, what somebody is does not answer it.
    """
    if not other["known"]:
        return any(OVERTOOK in one["found_by"] for one in other["passages"])
    if not wants_name:
        return True
    texts = {one["statement"]: one["text"] for one in nearest["passages"]}
    return all(_gives_name(one["path"][-1], texts) for one in other["answers"])


def _gives_name(step: "StepResult", texts: "Mapping[str | None, str]") -> bool:
    """Tell whether a claim says what somebody is called: it, or its note among *texts*, speaks of a
    name, or has it right behind who they are: "Wilf's wife Nora".
    """
    predicate, value = step["predicate"], step["object"]
    if _NAME in split_words(predicate):
        return True
    if not value[:1].isupper():
        return False
    is_role = not any(
        predicate in data["words"]["identity"].split()
        for data in read_question_data().values()
    )
    for source in step["sources"]:
        text = texts.get(statement_id(source["capture"]), "")
        if _NAME in split_words(text):
            return True
        if is_role and f"{predicate} {value}" in text:
            return True
    return False


def asks_for_event(question: str) -> bool:
    """Tell whether *question* asks when something happens, or where it is."""
    words = split_words(question)
    if len(words) < 2:
        return False
    data = read_question_data()[question_language(words)]
    kinds = data["asks"].get(words[0], "")
    if kinds == "time":
        return True
    identity = data["words"]["identity"].split()
    return kinds == "place" and words[1] in identity


def asks_what_happened(question: str) -> bool:
    """Tell whether *question* asks in the past: "Where was …", "Who painted …", "Wann wurde …"."""
    # word lists: only a question that nothing answers needs them
    from companion.language.claims.grammar import grammar_of

    words = split_words(question)
    if len(words) < 2:
        return False
    language = question_language(words)
    grammar = grammar_of(language)
    first, *tensed = words[:3]
    if _has_one("perfects", tensed, grammar):
        return bool(_PARTICIPLE.fullmatch(words[-1]))
    if _has_one("pasts", tensed, grammar):
        return True
    if grammar.v2 and _is_past(tensed[0], grammar):
        return True  # "Wo arbeitete Jonas im Juni?"
    return first in _WHO and tensed[0].endswith("ed")


def _has_one(kind: str, words: list[str], grammar: "Grammar") -> bool:
    return any(grammar.has(kind, word) for word in words)


def _is_past(word: str, grammar: "Grammar") -> bool:
    from companion.language.sentences import Token

    return grammar.past(Token(word, word, 0, 0))


# -- times that are named --------------------------------------------------------------------------


def says_when(mention: "Mention") -> bool:
    """Tell whether *mention* says at which time the answer is wanted."""
    if mention.role == "none":
        return not mention.loose
    return mention.role in _ROLES_OF_TIME


def end_of_time(mention: "Mention") -> datetime | None:
    """Return the instant at which the time that is asked for ends; None: it is open."""
    if mention.role == "before":
        return mention.stretch.start
    return mention.stretch.end


def just_before(edge: datetime) -> str:
    """Return the last instant before *edge*."""
    instant = edge.replace(tzinfo=None) - timedelta(microseconds=1)
    return instant.strftime(_INSTANT)
