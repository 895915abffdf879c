"""Ask language models what notes claim, and for summaries.

A prompt is a function, and each has the type of its answer.
"""

import re
from collections.abc import Sequence
from typing import cast

from companion.annotations import get_args
from companion.judges.llm.client import (
    Model,
    NotTyped,
    Prompt,
    object_schema,
    read_word,
    source,
)
from companion.language.protocols import Identity, ModelUnavailable, Summary
from companion.language.sentence_ends import split_sentences
from companion.values.claims import Claim, Mood, Period, Precision, Span
from companion.values.events import JsonDocument

_TEXT = {"type": "string"}
_TEXT_OR_NULL = {"type": ["string", "null"]}
_FLAG = {"type": "boolean"}
_WORD = re.compile(r"\w+")


class LlmExtractor:
    """The claims of a text, as a language model reads them."""

    VERSION = "extract-1"

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> Identity:
        """Return which model answers which prompt. Raises ModelUnavailable."""
        return self._model.identity(self.VERSION)

    def extract(self, text: str, *, event_time: str) -> list[Claim]:
        """Return the claims that quote *text* word for word, by their spans; none where the answer
        cannot be read.

        Raises NotTyped.
        """

        def read(data: JsonDocument) -> list[Claim]:
            """Return the claims that *data* states. Raises NotTyped."""
            listed = data.get("claims")
            if not isinstance(listed, list):
                raise NotTyped("claims is no list of objects")
            if not all(isinstance(each, dict) for each in listed):
                raise NotTyped("claims is no list of objects")
            return _read_claims(text, listed)

        return self._model.ask(extraction_prompt(text, event_time), read) or []


def extraction_prompt(text: str, event_time: str) -> Prompt:
    """Ask for the claims that *text*, told at *event_time*, states."""
    asked = f"""A note, told at {event_time}:
{source(text)}

List every claim it states. For each: subject, predicate and object as short phrases; quote, the \
words of the note that
state it, copied exactly; functional, true when only one object can be right at a time; negated; \
mood, one of
{", ".join(get_args(Mood))}; change, true when it is stated as a change; start and end of the time \
for which it holds
(YYYY-MM-DDTHH:MM:SSZ, null when open or not said) and precision, one of \
{", ".join(get_args(Precision))} or null."""
    claim = {
        **dict.fromkeys(("subject", "predicate", "object", "quote"), _TEXT),
        **dict.fromkeys(("functional", "negated", "change"), _FLAG),
        "mood": {"type": "string", "enum": list(get_args(Mood))},
        **dict.fromkeys(("start", "end", "precision"), _TEXT_OR_NULL),
    }
    return Prompt(
        LlmExtractor.VERSION,
        asked,
        object_schema(
            {"claims": {"type": "array", "items": object_schema(claim)}}
        ),
    )


class LlmSummariser:
    """Summaries in a model's own words, checked against the source."""

    VERSION = "summarise-1"

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> Identity:
        """Return which model answers which prompt. Raises ModelUnavailable."""
        return self._model.identity(self.VERSION)

    def summarise(self, text: str, *, depth: float) -> Summary:
        """Return a title and a summary whose every number and name stands in *text*. Raises
        ModelUnavailable.
        """

        def read(data: JsonDocument) -> Summary:
            """Return the summary that *data* states. Raises NotTyped if it invents anything."""
            title = _read_phrase(data, "title")
            summary = _read_phrase(data, "summary")
            if invented(f"{title}. {summary}", text):
                raise NotTyped("it names what the source does not")
            return Summary(title, summary, (Span(0, len(text)),))

        answer = self._model.ask(summary_prompt(text, depth), read)
        if answer is None:
            raise ModelUnavailable(
                f"{self._model.name} gave no summary that holds against its source"
            )
        return answer


def summary_prompt(text: str, depth: float) -> Prompt:
    """Ask for a summary of *text*; *depth* in [0, 1] says how much of it should remain."""
    sentences = 1 + round(depth * 9)
    asked = f"""{source(text)}

Give the source a title of at most eight words, and a summary of at most {sentences} sentences \
that uses only what the
source says."""
    return Prompt(
        LlmSummariser.VERSION,
        asked,
        object_schema(dict.fromkeys(("title", "summary"), _TEXT)),
    )


def invented(summary: str, text: str) -> list[str]:
    """Return the numbers and names of *summary* that *text* does not have: a sentence's first word
    is no name.
    """
    known = {word.casefold() for word in _WORD.findall(text)}
    found = []
    for sentence in split_sentences(summary.replace(": ", ".\n")):
        for word in _WORD.findall(sentence)[1:]:
            is_name = word[0].isdigit() or word[0].isupper()
            if is_name and word.casefold() not in known:
                found.append(word)
    return found


def _read_claims(text: str, listed: Sequence[JsonDocument]) -> list[Claim]:
    """Return the claims in the order of *text*. Raises NotTyped."""
    claims = []
    for data in listed:
        claim = _read_claim(text, data)
        if claim is not None:
            claims.append(claim)
    return sorted(claims, key=lambda claim: claim.span)


def _read_claim(text: str, data: JsonDocument) -> Claim | None:
    """Return the claim that *data* states; None where it quotes what *text* does not say.

    Raises NotTyped.
    """
    subject = _read_phrase(data, "subject")
    predicate = _read_phrase(data, "predicate")
    object_ = _read_phrase(data, "object")
    quote = _read_quote(data)
    start = text.find(quote)
    if start < 0:
        return None
    return Claim(
        subject=subject,
        predicate=predicate,
        object=object_,
        key=(_norm(subject), _norm(predicate)),
        functional=data.get("functional") is True,
        negated=data.get("negated") is True,
        period=_read_period(data),
        mood=cast(Mood, read_word(data, "mood", get_args(Mood))),
        change=data.get("change") is True,
        span=Span(start, start + len(quote)),
        rule="llm",
    )


def _read_period(data: JsonDocument) -> Period:
    """Return the time that *data* states. Raises NotTyped if it is none."""
    start = _read_instant(data, "start")
    end = _read_instant(data, "end")
    if start is None and end is None:
        return Period()
    precision = data.get("precision")
    if precision not in get_args(Precision):
        precision = None
    return Period(start, end, cast(Precision | None, precision), stated=True)


def _read_instant(data: JsonDocument, name: str) -> str | None:
    from companion.errors import CompanionError
    from companion.values.time import parse_instant

    value = data.get(name)
    if not isinstance(value, str):
        return None
    try:
        return parse_instant(value)
    except CompanionError as error:
        raise NotTyped("a time that is none") from error


def _read_quote(data: JsonDocument) -> str:
    """Return the quoted words, as they are. Raises NotTyped."""
    value = data.get("quote")
    if not isinstance(value, str) or not value.strip():
        raise NotTyped("quote is no text")
    return value


def _read_phrase(data: JsonDocument, name: str) -> str:
    """Return the text under *name*, on one line. Raises NotTyped."""
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise NotTyped(f"{name} is no text")
    return " ".join(value.split())


def _norm(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
