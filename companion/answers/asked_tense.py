"""Tell at which time a question asks: for what happened, or for what is to come."""

from companion.annotations import TYPE_CHECKING
from companion.answers.polar import asks_only_yes_or_no
from companion.answers.question import plain
from companion.language.words.question_words import (
    question_language,
    read_question_data,
)
from companion.patterns import lazy
from companion.values.claims import split_words

if TYPE_CHECKING:
    from companion.language.claims.grammar import Grammar
    from companion.language.detect import LanguageData

_WHO = ("who", "what", "which")
_PARTICIPLE = lazy(r"(?:ge|be|ver|er|ent)\w+(?:t|en)")  # in German


def ask_plainly(question: str) -> str:
    """Return *question* with "when" for "at what time", and "what is Leo allergic to" for "is Leo
    allergic to anything".
    """
    words = question.rstrip("?! ").split()
    hourly = _find_hour_words(question)
    if hourly is not None:
        size, when = hourly
        return " ".join([when.capitalize(), *words[size:]]) + "?"
    for data in read_question_data().values():
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


def ask_otherwise(question: str, *, hourly: bool) -> str:
    """Return a plain *question* that nothing answers as one that means the same: for an hour "When
    is choir?" is "When does choir start?"; "How much is the rent?" is "What does the rent cost?".
    "" where it is another.
    """
    words = question.rstrip("?! ").split()
    low = " ".join(words).casefold()
    for data in read_question_data().values():
        for phrase, meant in data["starting" if hourly else "costing"].items():
            if low.startswith(f"{phrase} "):
                rest = words[len(phrase.split()) :]
                return f"{meant.format(' '.join(rest))}?"
    return ""


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
