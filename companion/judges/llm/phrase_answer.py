"""Let a language model phrase an answer from claims, adding nothing (claim ledger, LED-15).

Which sentence says which claims is part of the typed answer, so that every sentence can be held
against its own.
"""

from collections.abc import Sequence
from typing import NamedTuple

from companion.config import Config
from companion.judges.llm.check_phrasing import Line, Sentence, find_objection
from companion.judges.llm.client import (
    MAX_SOURCE,
    TRIES,
    Budget,
    Model,
    NotTyped,
    Prompt,
    source,
)
from companion.language.protocols import Identity
from companion.values.events import JsonDocument

_MOST = 12  # sentences of one phrasing
_LONGEST = 600  # characters of one sentence
_PATIENCE = 60.0  # seconds that a person who asked may wait for sentences


class Phrased(NamedTuple):
    """The sentences of a model, or why there are none."""

    text: str | None  # None: nothing that may be shown
    reason: str | None  # why not


class LlmPhraser:
    """Sentences of a language model, each checked against the claims that it says."""

    VERSION = "phrase-1"

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> Identity:
        """Return which model answers which prompt. Raises ModelUnavailable."""
        return self._model.identity(self.VERSION)

    def phrase(self, question: str, lines: Sequence[Line]) -> Phrased:
        """Return *lines* as sentences that say them and nothing else. Raises ModelUnavailable."""
        reasons = [f"{self._model.name} gave no answer that could be read"]

        def read(data: JsonDocument) -> str:
            """Return the sentences. Raises NotTyped if they say anything else than *lines*."""
            sentences = _read_sentences(data, len(lines))
            objection = find_objection(sentences, lines, question)
            if objection is not None:
                reasons.append(f"{self._model.name} {objection}")
                raise NotTyped(objection)
            return " ".join(sentence.text for sentence in sentences)

        text = self._model.ask(phrase_prompt(question, lines), read)
        if text is None:
            return Phrased(None, reasons[-1])
        return Phrased(text, None)


def open_phraser(config: Config) -> LlmPhraser | None:
    """Return the judge that phrases answers; None where no language model is configured."""
    if config.reasoner != "llm":
        return None
    budget = Budget(min(TRIES, config.max_calls), config.max_tokens)
    return LlmPhraser(Model(config.model, budget, patience=_PATIENCE))


def fits(lines: Sequence[Line]) -> bool:
    """Tell whether a model would be shown all of *lines*."""
    return len(_shown(lines)) <= MAX_SOURCE


def phrase_prompt(question: str, lines: Sequence[Line]) -> Prompt:
    """Ask for sentences that answer *question* by saying *lines*."""
    needed = ", ".join(str(n) for n, line in enumerate(lines, 1) if line.needed)
    asked = f"""Somebody asked:
{source(question)}

What was told, line by line:
{source(_shown(lines))}

Answer the question in short sentences, in the language of the question. Say the lines {needed}, \
the others only where
they help. Each sentence says the lines that it names in `lines`, whole: who or what a line is \
about, then the words
between, then the value, each as it stands there; "I" may become "you". Add no other name, number, \
date, denial or
judgement. Where lines are marked as disputed, say each of them.
sentences: a list of objects, each with text (one sentence) and lines (the numbers of the lines \
that it says)."""
    return Prompt(LlmPhraser.VERSION, asked, _SCHEMA)


def _shown(lines: Sequence[Line]) -> str:
    return "\n".join(f"{n}. {line.shown()}" for n, line in enumerate(lines, 1))


def _read_sentences(data: JsonDocument, count: int) -> list[Sentence]:
    """Return the sentences that *data* states, of *count* lines. Raises NotTyped."""
    listed = data.get("sentences")
    if not isinstance(listed, list) or not 1 <= len(listed) <= _MOST:
        raise NotTyped("sentences is no list of sentences")
    return [_read_sentence(each, count) for each in listed]


def _read_sentence(value: object, count: int) -> Sentence:
    if not isinstance(value, dict):
        raise NotTyped("a sentence is no object")
    text = value.get("text")
    if not isinstance(text, str) or not 0 < len(text.strip()) <= _LONGEST:
        raise NotTyped("a sentence is no text, or no short one")
    lines = value.get("lines")
    if not isinstance(lines, list) or not all(
        type(n) is int and 1 <= n <= count for n in lines
    ):
        raise NotTyped("a sentence names no lines")
    numbers = dict.fromkeys(n - 1 for n in lines)
    return Sentence(" ".join(text.split()), tuple(numbers))


_SCHEMA = {
    "type": "object",
    "properties": {
        "sentences": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "text": {"type": "string"},
                    "lines": {"type": "array", "items": {"type": "integer"}},
                },
                "required": ["text", "lines"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["sentences"],
    "additionalProperties": False,
}
