"""Ask a language model to say a paragraph of a source in fewer sentences.

Its words are not trusted: whoever asks checks each sentence against the source and takes the
source's own sentence where one adds or drops something.
"""

from companion.judges.llm.client import Model, NotTyped, Prompt, source
from companion.language.protocols import Identity, Summary
from companion.values.claims import Span
from companion.values.events import JsonDocument

_LONGEST = 4_000  # characters


class LlmRewriter:
    """Paragraphs in a model's own words, unchecked."""

    VERSION = "reword-1"

    def __init__(self, model: Model) -> None:
        self._model = model

    @property
    def identity(self) -> Identity:
        """Return which model answers which prompt. Raises ModelUnavailable."""
        return self._model.identity(self.VERSION)

    def summarise(self, text: str, *, depth: float) -> Summary:
        """Return *text* in at most 1 + 9 · *depth* sentences; empty where no answer can be read.

        Raises ModelUnavailable.
        """
        answer = self._model.ask(reword_prompt(text, depth), _read_text)
        return Summary("", answer or "", (Span(0, len(text)),))


def reword_prompt(text: str, depth: float) -> Prompt:
    """Ask for *text* in fewer sentences."""
    sentences = 1 + round(depth * 9)
    asked = f"""{source(text)}

Say what the source says in at most {sentences} short sentences, in its language. Keep every \
number, date, name and denial that you mention exactly as it stands there. Add nothing and judge \
nothing."""
    schema = {
        "type": "object",
        "properties": {"text": {"type": "string"}},
        "required": ["text"],
        "additionalProperties": False,
    }
    return Prompt(LlmRewriter.VERSION, asked, schema)


def _read_text(data: JsonDocument) -> str:
    """Return the text that *data* holds, on one line. Raises NotTyped."""
    value = data.get("text")
    if not isinstance(value, str) or not 0 < len(value.strip()) <= _LONGEST:
        raise NotTyped("text is no short text")
    return " ".join(value.split())
