"""Read how later notes stand to earlier statements, with the head of an embedder."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from companion.language.lexicon import fingerprint
from companion.language.protocols import Embedder, Identity, WrongWeights
from companion.language.relations import relate
from companion.language.stance import features
from companion.language.stance.features import Passage
from companion.language.stance.head import Head, load_head
from companion.language.stance.passages import split_passages, split_short
from companion.language.stance.stance import Stance, make_stance, without_words
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.values.relations import Statement

if TYPE_CHECKING:
    import numpy

_BATCH = 2048  # pairs of passages judged at a time: bounds the memory


class Question(NamedTuple):
    """Two passages to be compared for the pair *number*."""

    number: int
    title: str
    earlier: str
    later: str


class StanceReader:
    """The trained judge of stance.

    It answers by the two texts and the title alone, the same everywhere. Nothing is loaded before
    the first pair.
    """

    def __init__(
        self,
        words: StaticEmbedder | None = None,
        *,
        head: str = "static",
        embedder: Embedder | None = None,
    ) -> None:
        """Align words by *words*; *head* was trained on the vectors of *embedder*.

        Without an embedder, whole passages are embedded by *words* too.
        """
        self._words = words or StaticEmbedder()
        self._embedder = embedder or self._words
        self._name = head

    @cached_property
    def identity(self) -> Identity:
        """Return the versions of features and rules, and the hashes of head and vectors."""
        under = self._embedder.identity
        parameters = (
            f'{{"embedder":"{under.weights}","features":"{features.VERSION}",'
            f'"lexicon":"{fingerprint()}","rules":"{relate.VERSION}"}}'
        )
        return Identity(
            "stance", "1", self._name, self._head.weights, parameters
        )

    def read(
        self, pairs: Sequence[tuple[Statement, Statement]]
    ) -> list[Stance]:
        """Judge each pair of an earlier statement, with its page's title, and a later note.

        Of texts over 400 characters the strongest pair of passages counts, of at most 12 on either
        side. Raises ModelUnavailable or WrongWeights.
        """
        questions: list[Question] = []
        for number, (earlier, later) in enumerate(pairs):
            questions += _questions(number, earlier, later)
        found: list[Stance | None] = [None] * len(pairs)
        for start in range(0, len(questions), _BATCH):
            batch = questions[start : start + _BATCH]
            answers = self._judge(batch)
            for question, answer in zip(batch, answers, strict=True):
                held = found[question.number]
                found[question.number] = _stronger(held, answer)
        return [self._with_sentences(stance) for stance in found]

    @cached_property
    def _head(self) -> Head:
        head = load_head(self._name)
        weights = self._embedder.identity.weights
        if head.embedder != weights:
            raise WrongWeights(
                f"the head {self._name} is for vectors of the hash {head.embedder[:12]}, "
                f"not {weights[:12]}"
            )
        return head

    def _judge(self, questions: Sequence[Question]) -> list[Stance]:
        import numpy

        crossed, seen = self.describe(questions)
        shares = self._head.judge(crossed, seen)
        return [
            make_stance(row, question.earlier, question.later)
            for row, question in zip(
                numpy.asarray(shares), questions, strict=True
            )
        ]

    def describe(
        self, questions: Sequence[Question]
    ) -> "tuple[numpy.ndarray, numpy.ndarray]":
        """Return the crossed vectors and what is seen of each pair, in order."""
        import numpy

        passages = self._read_passages(questions)
        rules = relate.LightRelater(self._words)
        relations = rules.relate(
            [
                (Statement(question.earlier), Statement(question.later))
                for question in questions
            ]
        )
        crossed = []
        seen = []
        for question, relation in zip(questions, relations, strict=True):
            earlier = passages[question.earlier]
            later = passages[question.later]
            title = passages[question.title]
            crossed.append(features.cross(earlier.vector, later.vector))
            seen.append(features.describe(earlier, later, title, relation))
        return numpy.asarray(crossed), numpy.asarray(seen)

    def _read_passages(
        self, questions: Iterable[Question]
    ) -> dict[str, Passage]:
        """Return each distinct text of *questions*, read once."""
        compared: set[str] = set()
        titles: set[str] = set()
        for question in questions:
            compared.update((question.earlier, question.later))
            titles.add(question.title)
        texts = sorted(compared)
        whole = dict(zip(texts, self._embedder.embed(texts), strict=True))
        titles -= compared
        return self._describe_texts(whole, sorted(titles))

    def _describe_texts(
        self, whole: "dict[str, numpy.ndarray]", titles: list[str]
    ) -> dict[str, Passage]:
        import numpy

        empty = numpy.zeros(self._embedder.dimensions, dtype=numpy.float32)
        words_by_text = {}
        for text in [*whole, *titles]:
            words_by_text[text] = features.find_words(text)
        vocabulary = sorted(
            {w for words in words_by_text.values() for w in words}
        )
        rows = {word: row for row, word in enumerate(vocabulary)}
        vectors = self._words.embed(vocabulary)
        weights = numpy.asarray(
            self._words.measure_words(vocabulary), dtype=numpy.float32
        )
        passages = {}
        for text, words in words_by_text.items():
            at = [rows[word] for word in words]
            passages[text] = Passage(
                text,
                whole.get(text, empty),
                tuple(words),
                vectors[at],
                weights[at],
                features.find_numbers(text),
            )
        return passages

    def _with_sentences(self, stance: Stance | None) -> Stance:
        """Return *stance* with the likest two sentences of its passages."""
        if stance is None:
            return without_words()
        earlier = split_short(stance.earlier)
        later = split_short(stance.later)
        if len(earlier) == len(later) == 1:
            return stance
        table = self._words.embed(earlier) @ self._words.embed(later).T
        row, column = divmod(int(table.argmax()), len(later))
        return stance._replace(earlier=earlier[row], later=later[column])


def _questions(
    number: int, earlier: Statement, later: Statement
) -> list[Question]:
    """Return every passage of a statement beside every passage of a note."""
    title = (earlier.title or "").strip()[:200]
    others = split_passages(later.text)
    return [
        Question(number, title, one, other)
        for one in split_passages(earlier.text)
        for other in others
    ]


def _stronger(held: Stance | None, found: Stance) -> Stance:
    """Return the answer in which less speaks for "has nothing to do with it"."""
    if held is None or _quiet(found) < _quiet(held):
        return found
    return held


def _quiet(stance: Stance) -> float:
    return stance.probability("unrelated") + stance.probability("other")
