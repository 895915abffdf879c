"""The questions that language models are asked, each with the type of its answer. A prompt is a
function.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from companion.judges.llm.client import (
    Model,
    NotTyped,
    Prompt,
    share,
    source,
    word,
)
from companion.language.protocols import Identity, ModelUnavailable, Summary
from companion.values.claims import Claim, Mood, Period, Precision, Span
from companion.values.relations import Label, Relation, Statement

_LABELS: tuple[str, ...] = get_args(Label)
_BASES = (
    "negation",
    "opposite",
    "number",
    "date",
    "name",
    "value",
    "restated",
    "topic",
    "other",
)
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_TEXT, _TEXT_OR_NULL, _FLAG = (
    {"type": "string"},
    {"type": ["string", "null"]},
    {"type": "boolean"},
)
_MORE = f"""confidence: from 0 to 1, how sure you are of the label.
basis: what the label rests on most, one of {", ".join(_BASES)}."""
_WORD = re.compile(r"\w+")


class LlmRelater:
    """Pairs of statements, judged one by one by a language model."""

    VERSION = "relate-1"

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> Identity:
        return self._model.identity(self.VERSION)

    def relate(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Relation]:
        """Judge each (earlier, later) pair; an answer that cannot be read is *unsure*. Raises
        ModelUnavailable.
        """
        return [self._one(earlier, later) for earlier, later in pairs]

    def _one(self, earlier: Statement, later: Statement) -> Relation:
        prompt = (
            relation_prompt(earlier, later)
            if earlier.text
            else prior_prompt(later)
        )
        answer = self._model.ask(prompt, self._read)
        unread = f"{self._model.name} gave no answer that could be read"
        return answer or Relation("unsure", 0.0, unread)

    def _read(self, data: Mapping[str, Any]) -> Relation:
        label, basis = (
            cast(Label, word(data, "label", _LABELS)),
            word(data, "basis", _BASES),
        )
        sure, opposition, update = (
            share(data, name) for name in ("confidence", "opposition", "update")
        )
        # A template, never the model's own words: they would quote the note into the ledger.
        reason = f"{self._model.name}: {label} by {basis}, opposition {opposition:.2f}, update {update:.2f}"
        return Relation(label, sure, reason, opposition, update)


def relation_prompt(earlier: Statement, later: Statement) -> Prompt:
    """Ask how *later* stands to *earlier*."""
    text = f"""Two notes, the earlier one first.

Earlier{_told(earlier)}:
{source(earlier.text)}

Later{_told(later)}:
{source(later.text)}

How does the later note stand to the earlier one?
label: same (says the same), supports, contradicts (both cannot be so), neutral (about something else, or both can be
so), unsure.
opposition: from 0 to 1, how sure it is that both cannot be so at one and the same time.
update: from 0 to 1, how sure it is that the later note gives a newer value for the same matter.
{_MORE}"""
    return Prompt(LlmRelater.VERSION, text, _RELATION)


def prior_prompt(later: Statement) -> Prompt:
    """Ask how *later* stands to what the model knows itself: an empty earlier statement asks that
    (ROW-7).
    """
    text = f"""A note{_told(later)}:
{source(later.text)}

How does it stand to what you know of the world? About its author's own life you know nothing: such a note is neutral.
label: same or supports (what you know agrees), contradicts (what you know cannot be so if the note is), neutral (you
know nothing of the matter), unsure.
opposition: from 0 to 1, how sure it is that the note and what you know cannot both be so.
update: from 0 to 1, how sure it is that the note is merely newer than what you know.
{_MORE}"""
    return Prompt(LlmRelater.VERSION, text, _RELATION)


class LlmExtractor:
    """The claims of a text, as a language model reads them."""

    VERSION = "extract-1"

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> Identity:
        return self._model.identity(self.VERSION)

    def extract(self, text: str, *, event_time: str) -> list[Claim]:
        """Return the claims that quote *text* word for word, by their spans; none where the answer
        cannot be read.
        """

        def read(data: Mapping[str, Any]) -> list[Claim]:
            listed = data.get("claims")
            if not isinstance(listed, list) or not all(
                isinstance(each, dict) for each in listed
            ):
                raise NotTyped("claims is no list of objects")
            return sorted(_claims(text, listed), key=lambda claim: claim.span)

        return self._model.ask(extraction_prompt(text, event_time), read) or []


def extraction_prompt(text: str, event_time: str) -> Prompt:
    """Ask for the claims that *text*, told at *event_time*, states."""
    asked = f"""A note, told at {event_time}:
{source(text)}

List every claim it states. For each: subject, predicate and object as short phrases; quote, the words of the note that
state it, copied exactly; functional, true when only one object can be right at a time; negated; mood, one of
{", ".join(get_args(Mood))}; change, true when it is stated as a change; start and end of the time for which it holds
(YYYY-MM-DDTHH:MM:SSZ, null when open or not said) and precision, one of {", ".join(get_args(Precision))} or null."""
    claim = {
        **dict.fromkeys(("subject", "predicate", "object", "quote"), _TEXT),
        **dict.fromkeys(("functional", "negated", "change"), _FLAG),
        "mood": {"type": "string", "enum": list(get_args(Mood))},
        **dict.fromkeys(("start", "end", "precision"), _TEXT_OR_NULL),
    }
    return Prompt(
        LlmExtractor.VERSION,
        asked,
        _object({"claims": {"type": "array", "items": _object(claim)}}),
    )


class LlmSummariser:
    """Summaries in a model's own words, checked against the source."""

    VERSION = "summarise-1"

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> Identity:
        return self._model.identity(self.VERSION)

    def summarise(self, text: str, *, depth: float) -> Summary:
        """Return a title and a summary whose every number and name stands in *text*. Raises
        ModelUnavailable.
        """

        def read(data: Mapping[str, Any]) -> Summary:
            title, summary = _phrase(data, "title"), _phrase(data, "summary")
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

Give the source a title of at most eight words, and a summary of at most {sentences} sentences that uses only what the
source says."""
    return Prompt(
        LlmSummariser.VERSION,
        asked,
        _object(dict.fromkeys(("title", "summary"), _TEXT)),
    )


def invented(summary: str, text: str) -> list[str]:
    """Return the numbers and names of *summary* that *text* does not have: a sentence's first word
    is no name.
    """
    known = {found.casefold() for found in _WORD.findall(text)}
    names = [
        found
        for sentence in re.split(r"[.!?:]\s+", summary)
        for found in _WORD.findall(sentence)[1:]
    ]
    return [
        w
        for w in names
        if (w[0].isdigit() or w[0].isupper()) and w.casefold() not in known
    ]


def _claims(text: str, listed: Sequence[Mapping[str, Any]]) -> list[Claim]:
    found = []
    for each in listed:
        subject, predicate, object_, quote = (
            _phrase(each, n)
            for n in ("subject", "predicate", "object", "quote")
        )
        start = text.find(quote)
        if start < 0:
            continue  # it quotes what the note does not say: nobody stated that
        period = _period(each)
        functional, negated, change = (
            each.get(name) is True
            for name in ("functional", "negated", "change")
        )
        mood = cast(Mood, word(each, "mood", get_args(Mood)))
        span = Span(start, start + len(quote))
        key = (_norm(subject), _norm(predicate))
        found.append(
            Claim(
                subject,
                predicate,
                object_,
                key,
                functional,
                negated,
                period,
                mood,
                change,
                span,
                "llm",
            )
        )
    return found


def _period(data: Mapping[str, Any]) -> Period:
    from companion.errors import CompanionError
    from companion.values.time import parse_instant

    try:
        start, end = (
            parse_instant(data[n]) if isinstance(data.get(n), str) else None
            for n in ("start", "end")
        )
    except CompanionError as error:
        raise NotTyped("a time that is none") from error
    precision = (
        cast(Precision, data.get("precision"))
        if data.get("precision") in get_args(Precision)
        else None
    )
    stated = start is not None or end is not None
    return Period(start, end, precision if stated else None, stated)


def _phrase(data: Mapping[str, Any], name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str) or not value.strip():
        raise NotTyped(f"{name} is no text")
    return " ".join(value.split()) if name != "quote" else value


def _norm(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _told(statement: Statement) -> str:
    return f" (told at {statement.when})" if statement.when else ""


def _object(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": list(properties),
        "additionalProperties": False,
    }


_RELATION = _object(
    {
        "label": {"type": "string", "enum": list(_LABELS)},
        "basis": {"type": "string", "enum": list(_BASES)},
        **dict.fromkeys(("confidence", "opposition", "update"), _SHARE),
    }
)
