"""An answer from claims in a language model's own sentences, which may add nothing (claim ledger,
LED-15).

Which sentence says which claims is part of the typed answer, so that every sentence can be held
against its own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.config import Config
from companion.judges.llm.check_phrasing import Line, Sentence, objection
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

_MOST = 12  # sentences of one phrasing
_LONGEST = 600  # characters of one sentence
_PATIENCE = 60.0  # seconds that a person who asked may wait for sentences


class Phrased(NamedTuple):
    """What a model made of an answer."""

    text: str | None  # None: nothing that may be shown
    reason: str | None  # why not


class LlmPhraser:
    """Sentences of a language model, each checked against the claims that it says."""

    VERSION = "phrase-1"

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> Identity:
        return self._model.identity(self.VERSION)

    def phrase(self, question: str, lines: Sequence[Line]) -> Phrased:
        """Return *lines* as sentences that say them and nothing else. Raises ModelUnavailable."""
        refused = [f"{self._model.name} gave no answer that could be read"]

        def read(data: Mapping[str, Any]) -> str:
            sentences = _sentences(data, len(lines))
            found = objection(sentences, lines, question)
            if found is not None:
                refused.append(f"{self._model.name} {found}")
                raise NotTyped(found)
            return " ".join(each.text for each in sentences)

        text = self._model.ask(phrase_prompt(question, lines), read)
        return Phrased(text, refused[-1] if text is None else None)


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

Answer the question in short sentences, in the language of the question. Say the lines {needed}, the others only where
they help. Each sentence says the lines that it names in `lines`, whole: who or what a line is about, then the words
between, then the value, each as it stands there; "I" may become "you". Add no other name, number, date, denial or
judgement. Where lines are marked as disputed, say each of them.
sentences: a list of objects, each with text (one sentence) and lines (the numbers of the lines that it says)."""
    return Prompt(LlmPhraser.VERSION, asked, _SCHEMA)


def _shown(lines: Sequence[Line]) -> str:
    return "\n".join(f"{n}. {line.shown()}" for n, line in enumerate(lines, 1))


def _sentences(data: Mapping[str, Any], count: int) -> list[Sentence]:
    listed = data.get("sentences")
    if not isinstance(listed, list) or not 1 <= len(listed) <= _MOST:
        raise NotTyped("sentences is no list of sentences")
    return [_sentence(each, count) for each in listed]


def _sentence(each: object, count: int) -> Sentence:
    said = each if isinstance(each, dict) else {}
    text, lines = said.get("text"), said.get("lines")
    if not isinstance(text, str) or not 0 < len(text.strip()) <= _LONGEST:
        raise NotTyped("a sentence is no text, or no short one")
    if not isinstance(lines, list) or not all(
        type(n) is int and 1 <= n <= count for n in lines
    ):
        raise NotTyped("a sentence names no lines")
    return Sentence(
        " ".join(text.split()), tuple(dict.fromkeys(n - 1 for n in lines))
    )


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
