"""Ask a language model how a note stands to all that it is compared with, in one prompt.

Each answer is kept under the two texts it is about, whatever else the prompt asked.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple, cast

from companion.annotations import get_args
from companion.judges.llm.client import (
    MAX_SOURCE,
    Model,
    NotTyped,
    Prompt,
    object_schema,
    read_share,
    read_word,
    source,
)
from companion.language.protocols import Identity
from companion.values.events import JsonDocument
from companion.values.relations import Label, Relation, Statement

Pair = tuple[Statement, Statement]

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
_MOST_PAIRS = 48  # of one prompt; a note has seldom more than 20
_MOST_CHARACTERS = 60_000  # of the texts of one prompt
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_MORE = f"""confidence: from 0 to 1, how sure you are of the label.
basis: what the label rests on most, one of {", ".join(_BASES)}."""
_TOKENS_OF_ANSWER = 50  # of one pair, about
_CHARACTERS_OF_TOKEN = 4


class Cost(NamedTuple):
    """What questions are going to cost, as far as anybody can tell before."""

    calls: int
    tokens: int  # about


class LlmRelater:
    """Pairs of statements, judged many at a time by a language model.

    It judges pages that others depend on by the same prompt as all others.
    """

    VERSION = "relate-2"

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> Identity:
        """Return which model answers which prompt. Raises ModelUnavailable."""
        return self._model.identity(self.VERSION)

    def relate(self, pairs: Sequence[Pair]) -> list[Relation]:
        """Judge each (earlier, later) pair, all in one prompt where they fit.

        Where an answer cannot be read, all of its prompt are *unsure*. Raises ModelUnavailable.
        """
        answers: list[Relation] = []
        for batch in _cut(pairs):
            read = partial(self._read_answers, count=len(batch))
            found = self._model.ask(relation_prompt(batch), read)
            answers += found or [self._unsure()] * len(batch)
        return answers

    def estimate(self, pairs: Sequence[Pair]) -> Cost:
        """Return what it is going to cost to judge *pairs* together."""
        calls = tokens = 0
        for batch in _cut(pairs):
            calls += 1
            text = relation_prompt(batch).text
            tokens += len(text) // _CHARACTERS_OF_TOKEN
            tokens += _TOKENS_OF_ANSWER * len(batch)
        return Cost(calls, tokens)

    def _unsure(self) -> Relation:
        reason = f"{self._model.name} gave no answer that could be read"
        return Relation("unsure", 0.0, reason)

    def _read_answers(
        self, data: JsonDocument, *, count: int
    ) -> list[Relation]:
        """Return the *count* relations that *data* states. Raises NotTyped."""
        listed = data.get("answers")
        if not isinstance(listed, list) or len(listed) != count:
            raise NotTyped(f"answers is no list of {count}")
        relations = []
        for number, one in enumerate(listed, 1):
            if not isinstance(one, dict) or one.get("question") != number:
                raise NotTyped(f"no answer to question {number}")
            relations.append(self._read(one))
        return relations

    def _read(self, data: JsonDocument) -> Relation:
        """Return the relation that *data* states. Raises NotTyped."""
        label = cast(Label, read_word(data, "label", _LABELS))
        basis = read_word(data, "basis", _BASES)
        confidence = read_share(data, "confidence")
        opposition = read_share(data, "opposition")
        update = read_share(data, "update")
        # A template, never the model's own words: they would quote the note into the ledger.
        reason = (
            f"{self._model.name}: {label} by {basis}, opposition {opposition:.2f}, "
            f"update {update:.2f}"
        )
        return Relation(label, confidence, reason, opposition, update)


def relation_prompt(pairs: Sequence[Pair]) -> Prompt:
    """Ask how the later text of each pair stands to the earlier one.

    An empty earlier text asks how the later one stands to what the model knows itself (ROW-7).
    """
    numbers: dict[Statement, int] = {}
    for one in _list_texts(pairs):
        numbers.setdefault(one, len(numbers) + 1)
    shown = [_show(number, one) for one, number in numbers.items()]
    questions = []
    for number, (earlier, later) in enumerate(pairs, 1):
        before = (
            f"text {numbers[earlier]}" if earlier.text else "your knowledge"
        )
        asked = f"{number}. earlier: {before}; later: text {numbers[later]}"
        questions.append(asked)
    text = f"""{chr(10).join(shown)}

How does the later text stand to the earlier one? Answer each question by its two texts alone, \
in this order:
{chr(10).join(questions)}

label: same (says the same), supports, contradicts (both cannot be so), neutral (about something \
else, or both can be
so), unsure.
Of "your knowledge" you know nothing of the author's own life: such a text is neutral.
opposition: from 0 to 1, how sure it is that both cannot be so at one and the same time.
update: from 0 to 1, how sure it is that the later text gives a newer value for the same matter.
{_MORE}"""
    return Prompt(LlmRelater.VERSION, text, _ANSWERS)


def _cut(pairs: Sequence[Pair]) -> Iterator[Sequence[Pair]]:
    """Yield *pairs* in as few batches as prompts may hold."""
    batch: list[Pair] = []
    shown: set[Statement] = set()
    for pair in pairs:
        texts = shown.union(_list_texts([pair]))
        is_full = len(batch) == _MOST_PAIRS
        if batch and (is_full or _count_characters(texts) > _MOST_CHARACTERS):
            yield batch
            batch = []
            texts = set(_list_texts([pair]))
        batch.append(pair)
        shown = texts
    if batch:
        yield batch


def _count_characters(texts: set[Statement]) -> int:
    return sum(min(len(one.text), MAX_SOURCE) for one in texts)


def _list_texts(pairs: Sequence[Pair]) -> list[Statement]:
    """Return the texts of *pairs*, without the empty ones."""
    texts = []
    for earlier, later in pairs:
        texts += [one for one in (earlier, later) if one.text]
    return texts


def _show(number: int, statement: Statement) -> str:
    """Return a text with its number, and when it was told."""
    told = f", told at {statement.when}" if statement.when else ""
    words = statement.text
    if statement.title:
        words = f"{statement.title}\n{words}"
    return f"Text {number}{told}:\n{source(words)}"


_ANSWER = object_schema(
    {
        "question": {"type": "integer"},
        "label": {"type": "string", "enum": list(_LABELS)},
        "basis": {"type": "string", "enum": list(_BASES)},
        **dict.fromkeys(("confidence", "opposition", "update"), _SHARE),
    }
)
_ANSWERS = object_schema({"answers": {"type": "array", "items": _ANSWER}})
