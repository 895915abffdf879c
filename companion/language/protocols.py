"""Protocols of the judges: rules, small models and large ones answer the same questions.

Each judge has an identity, and every answer carries its reason. They are asked only through the
verdict log. Implementations: light (the core install), semantic (`[semantic]`), llm (`[llm]`).
"""

from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING, Literal, Protocol
from companion.errors import CompanionError
from companion.tuples import NamedTuple
from companion.values.claims import Claim, Span
from companion.values.relations import Relation, Statement

if TYPE_CHECKING:
    import numpy


class Identity(NamedTuple):
    """The judge of a verdict.

    It is part of the verdict's key, so that a changed judge is asked again.
    """

    name: str  # "light", "semantic", "llm"
    version: str  # of the rules or the prompt
    model: str = ""  # the model's name; empty for rules alone
    # sha256 of the weights, or what the server calls the model's version
    weights: str = ""
    parameters: str = ""  # canonical JSON of what else shapes an answer

    def __str__(self) -> str:
        parts = (self.name, self.version, self.model, self.weights[:12])
        return "/".join(filter(None, parts))


class ModelUnavailable(CompanionError):
    """The model cannot be asked."""

    exit_code = 69
    hint = "`companion models` shows what is installed; `companion models use light` needs nothing."


class WrongWeights(CompanionError):
    """A model's weights are not the ones that were named."""

    exit_code = 65
    hint = "Install the package again, or choose another reasoner with `companion models use`."


class Summary(NamedTuple):
    """A text at a depth, with the spans of the original that it stands for."""

    title: str
    text: str
    spans: tuple[Span, ...]


class Preference(NamedTuple):
    """A judgement on which of two answers to a question serves better."""

    better: Literal["first", "second", "same"]
    confidence: float  # in [0, 1]
    basis: str  # a word of the judge's closed list
    reason: str  # names no words of either


class Embedder(Protocol):
    """Texts to vectors."""

    @property
    def identity(self) -> Identity:
        """Return who judges."""
        ...

    @property
    def dimensions(self) -> int:
        """Return how many numbers a vector has."""
        ...

    def embed(self, texts: Sequence[str]) -> "numpy.ndarray":
        """Return unit vectors, float32, shape (len(texts), dimensions).

        An empty text is the zero vector.
        """
        ...


class Relater(Protocol):
    """Pairs of statements to relations."""

    @property
    def identity(self) -> Identity:
        """Return who judges."""
        ...

    def relate(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Relation]:
        """Judge each (earlier, later) pair, in order; *unsure* if it cannot be judged."""
        ...


class Extractor(Protocol):
    """A text to the claims it states."""

    @property
    def identity(self) -> Identity:
        """Return who judges."""
        ...

    def extract(self, text: str, *, event_time: str) -> list[Claim]:
        """Return claims in the order of their spans.

        Relative times are relative to *event_time* (RFC 3339 UTC).
        """
        ...


class Summariser(Protocol):
    """A text at the depth that is wanted."""

    @property
    def identity(self) -> Identity:
        """Return who judges."""
        ...

    def summarise(self, text: str, *, depth: float) -> Summary:
        """Return a title and a summary; *depth* in [0, 1]: 0 one sentence, 1 the whole text."""
        ...


class Comparer(Protocol):
    """Two answers to one question to the better one."""

    @property
    def identity(self) -> Identity:
        """Return who judges."""
        ...

    def compare(
        self, questions: Sequence[tuple[str, str, str]]
    ) -> list[Preference]:
        """Judge each (question, first answer, second answer), in order.

        What cannot be judged is *same*, with confidence 0.
        """
        ...
