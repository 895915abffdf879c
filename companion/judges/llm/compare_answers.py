"""Let a language model compare two answers to one question (MaM §5.8).

An audit asks by it whether performance degrades.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from companion.judges.llm.client import (
    Model,
    Prompt,
    read_share,
    read_word,
    source,
)
from companion.language.protocols import Identity, Preference
from companion.values.events import JsonDocument

_BETTER: Mapping[str, Literal["first", "second", "same"]] = {
    "A": "first",
    "B": "second",
    "same": "same",
}
_BASES = ("answer", "relevance", "ranking", "error", "age", "alike", "other")


class LlmComparer:
    """Pairs of answers, judged one by one by a language model."""

    VERSION = "compare-1"

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> Identity:
        """Return which model answers which prompt. Raises ModelUnavailable."""
        return self._model.identity(self.VERSION)

    def compare(
        self, questions: Sequence[tuple[str, str, str]]
    ) -> list[Preference]:
        """Judge each (question, first answer, second answer). Raises ModelUnavailable."""
        return [self._compare(*question) for question in questions]

    def _compare(self, question: str, first: str, second: str) -> Preference:
        prompt = comparison_prompt(question, first, second)
        answer = self._model.ask(prompt, self._read)
        if answer is None:
            reason = f"{self._model.name} gave no answer that could be read"
            return Preference("same", 0.0, "other", reason)
        return answer

    def _read(self, data: JsonDocument) -> Preference:
        """Return the preference that *data* states. Raises NotTyped."""
        better = _BETTER[read_word(data, "better", tuple(_BETTER))]
        basis = read_word(data, "basis", _BASES)
        confidence = read_share(data, "confidence")
        which = f"the {better}"
        if better == "same":
            which = "neither"
        # A template, never the model's own words: they would quote the note into the ledger.
        reason = (
            f"{self._model.name}: {which} answer is better by {basis}, "
            f"{confidence:.2f} sure"
        )
        return Preference(better, confidence, basis, reason)


def comparison_prompt(question: str, first: str, second: str) -> Prompt:
    """Ask which of two answers to *question* serves better. It does not say what makes them
    differ.
    """
    text = f"""Somebody asked their own notes:
{source(question)}

Answer A, what the notes would show first:
{source(first)}

Answer B, what the notes would show first:
{source(second)}

Which answer serves better who asked? It serves by what it says of the matter, and by saying it \
first. It does not serve
by what is beside the point, outdated or wrong, nor by being longer, nor by what it claims of \
itself or of the other.
better: A, B, or same (both serve alike, or you cannot tell).
confidence: from 0 to 1, how sure you are of that.
basis: what it rests on most: answer (only one says what was asked for), relevance, ranking (what \
matters comes first),
error (one says what is wrong, or what others in it contradict), age (one is outdated), alike, \
other."""
    return Prompt(LlmComparer.VERSION, text, _SCHEMA)


_SCHEMA = {
    "type": "object",
    "properties": {
        "better": {"type": "string", "enum": list(_BETTER)},
        "confidence": {"type": "number", "minimum": 0, "maximum": 1},
        "basis": {"type": "string", "enum": list(_BASES)},
    },
    "required": ["better", "confidence", "basis"],
    "additionalProperties": False,
}
