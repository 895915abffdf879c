"""Say what is kept of a source in fewer words, where a language model is configured.

The model is asked for the sentences that a paragraph has left, and its answer is logged and
replayed like every judge's. Each of its sentences is checked (`fitting.check_reworded`): one that
adds a number, a name or a denial, or drops one, is replaced by the sentence of the source that it
rests on. Lists, tables, code, quotations and what people said in conversations stay verbatim; so
does everything that the model gave no answer to.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.judges.ask import Consultation, Tally, ask_summaries
from companion.judges.llm.client import MAX_SOURCE
from companion.language.protocols import Summariser, Summary
from companion.language.sentence_ends import split_sentences
from companion.lifecycle.compress import list_words, measure_distortion
from companion.operations.contextualize.fitting.check_reworded import (
    check_sentence,
)
from companion.operations.contextualize.fitting.fit import write_representation
from companion.operations.contextualize.fitting.pieces import Parted, part
from companion.operations.contextualize.fitting.terms import Terms
from companion.operations.contextualize.values import (
    Depth,
    Linkout,
    Representation,
    Reworded,
)
from companion.sources.document import Document
from companion.storage.journal.verdicts import Logged, Verdicts

# sentences of a paragraph that are worth a call
_FEWEST = 3
# a summariser gives 1 + 9 · depth sentences
_STEPS = 9


class Abstract(NamedTuple):
    """A representation in a model's words, and the verdicts that it rests on."""

    representation: Representation
    used: Mapping[str, Logged]
    tally: Tally | None  # None: nothing was asked


class _Paragraph(NamedTuple):
    passage: int
    pieces: tuple[int, ...]
    text: str  # what the model is shown

    @property
    def depth(self) -> float:
        """How deep a summary of half its sentences is."""
        half = -(-len(self.pieces) // 2)
        return min(1.0, (half - 1) / _STEPS)


def abstract(
    document: Document,
    representation: Representation,
    depth: Depth,
    rewriter: Summariser,
    log: Verdicts,
    at: str,
    *,
    linkout: Linkout,
) -> Abstract:
    """Return *representation* of *document* with its longer paragraphs in fewer words.

    *at* is the transaction time of new verdicts. A model that cannot be asked leaves the rest
    verbatim; its tally says why.
    """
    parted = part(document)
    kept = _find_pieces(parted, representation)
    paragraphs = _list_paragraphs(document, parted, kept)
    if not paragraphs or representation.step == "full text":
        return Abstract(representation, {}, None)
    asked = [(one.text, round(one.depth, 3)) for one in paragraphs]
    found: Consultation[Summary] = ask_summaries(log, rewriter, asked, at)
    terms = Terms(parted.text)
    reworded: dict[int, list[Reworded]] = {}
    refused = 0
    for paragraph, summary in zip(paragraphs, found.answers, strict=True):
        if summary is None or not summary.text.strip():
            continue
        sentences, bad = _reword(parted, paragraph, summary.text, terms)
        reworded[paragraph.passage] = sentences
        refused += bad
    written = write_representation(
        document, parted, kept, depth, linkout, reworded
    )
    written = written._replace(
        refused=refused, distortion=_measure_loss(parted, written)
    )
    return Abstract(written, found.used, found.tally)


def _reword(
    parted: Parted, paragraph: _Paragraph, summary: str, terms: Terms
) -> tuple[list[Reworded], int]:
    """Return the sentences that stand for a paragraph, and how many of the model's were refused."""
    source = [parted.words_of(number) for number in paragraph.pieces]
    sentences: list[Reworded] = []
    verbatim: set[int] = set()
    refused = 0
    for said in split_sentences(" ".join(summary.split())):
        text = said.strip()
        support = check_sentence(text, source, terms)
        number = paragraph.pieces[support.number]
        piece = parted.pieces[number]
        if support.objection is None:
            sentences.append(Reworded(text, piece.start, piece.end, False))
            continue
        refused += 1
        if number not in verbatim:
            verbatim.add(number)
            words = source[support.number]
            sentences.append(Reworded(words, piece.start, piece.end, True))
    return sentences, refused


def _find_pieces(parted: Parted, representation: Representation) -> list[int]:
    """Return the pieces that a verbatim representation keeps."""
    kept = []
    spans = iter(sorted(representation.spans, key=lambda one: one.start))
    span = next(spans, None)
    for number, piece in enumerate(parted.pieces):
        while span is not None and span.end < piece.end:
            span = next(spans, None)
        if span is not None and span.start <= piece.start:
            kept.append(number)
    return kept


def _list_paragraphs(
    document: Document, parted: Parted, kept: Sequence[int]
) -> list[_Paragraph]:
    """Return the kept paragraphs that a model may shorten."""
    groups: dict[int, list[int]] = {}
    for number in kept:
        piece = parted.pieces[number]
        if piece.kind == "sentence":
            groups.setdefault(piece.passage, []).append(number)
    found = []
    for passage, numbers in groups.items():
        if not document.passages or len(numbers) < _FEWEST:
            continue
        if document.passages[passage].kind != "paragraph":
            continue
        text = " ".join(_words_of(parted, numbers))
        if len(text) <= MAX_SOURCE:
            found.append(_Paragraph(passage, tuple(numbers), text))
    return found


def _words_of(parted: Parted, numbers: Iterable[int]) -> list[str]:
    return [" ".join(parted.words_of(number).split()) for number in numbers]


def _measure_loss(parted: Parted, written: Representation) -> float:
    """Return the share of the source's words that a representation in other words lacks (DEC-4)."""
    said = []
    for kept in written.spans:
        length = kept.length or kept.end - kept.start
        said.append(written.text[kept.at : kept.at + length])
    everything = [parted.words_of(n) for n in range(len(parted.pieces))]
    return measure_distortion(
        list_words("\n".join(everything)), list_words("\n".join(said))
    )
