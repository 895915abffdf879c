"""Fit a source to its reader: the sentences that are worth most to them, verbatim (MaM §5.4).

What is kept is a stretch of the source, so that no number, date or negation changes. How much is
kept follows from the depth (`fitting.choose`), what is kept from the reader's notes, questions and
role (`fitting.worth`). The head with the linkout stands at every depth (CTX-1). The same source,
reader and depth always give the same representation. Pure.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.language.protocols import Embedder
from companion.lifecycle.compress import list_words, measure_distortion
from companion.operations.contextualize.fitting.choose import (
    choose_pieces,
    count_all_words,
    keep_all,
    measure_budget,
)
from companion.operations.contextualize.fitting.pieces import Parted, part
from companion.operations.contextualize.fitting.worth import weigh_pieces
from companion.operations.contextualize.fitting.write import (
    write_head,
    write_passages,
    write_turns,
)
from companion.operations.contextualize.values import (
    Depth,
    Kept,
    KeptTurn,
    Linkout,
    ReaderContext,
    Representation,
    Reworded,
)
from companion.sources.document import Document

VERSION = "fit-1"


def fit(
    document: Document,
    context: ReaderContext,
    depth: Depth,
    embedder: Embedder,
    *,
    linkout: Linkout,
) -> Representation:
    """Return *document* as it stands in the wiki of the reader of *context*, at *depth*.

    Its distortion is the share of the source's words that are missing, measured against the source
    itself (DEC-4). Raises ModelUnavailable or WrongWeights where *embedder* does.
    """
    parted = part(document)
    words = count_all_words(parted)
    budget = measure_budget(depth.step, words)
    kept = select_pieces(document, parted, context, embedder, budget, words)
    return write_representation(document, parted, kept, depth, linkout)


def select_pieces(
    document: Document,
    parted: Parted,
    context: ReaderContext,
    embedder: Embedder,
    budget: int,
    words: int,
) -> list[int]:
    """Return the pieces of a source of so many *words* that fit into *budget* words."""
    if budget >= words:
        return keep_all(parted)
    if budget <= 0:
        return []
    worths = weigh_pieces(document, parted, context, embedder)
    return choose_pieces(parted, worths, budget)


def write_representation(
    document: Document,
    parted: Parted,
    kept: Sequence[int],
    depth: Depth,
    linkout: Linkout,
    reworded: Mapping[int, Sequence[Reworded]] | None = None,
) -> Representation:
    """Return the representation that has the *kept* pieces.

    The passages of *reworded*, by their numbers, have these sentences instead.
    """
    sentences = len(parted.pieces)
    head = write_head(document, linkout, depth.step, len(kept), sentences)
    text = head
    spans: tuple[Kept, ...] = ()
    turns: tuple[KeptTurn, ...] = ()
    if document.turns or document.memories:
        turns = write_turns(document, parted, kept)
    elif kept:
        body, spans = write_passages(
            document, parted, kept, len(head) + 2, reworded
        )
        text = f"{head}\n\n{body}"
    return Representation(
        title=document.title,
        text=text,
        step=depth.step,
        spans=spans,
        turns=turns,
        kept=len(kept),
        sentences=sentences,
        dropped=_count_dropped(parted, kept),
        distortion=measure_loss(parted, kept),
    )


def measure_loss(parted: Parted, kept: Sequence[int]) -> float:
    """Return the share of the source's words that the *kept* pieces lack, in [0, 1]."""
    return measure_distortion(
        _list_words(parted, range(len(parted.pieces))),
        _list_words(parted, kept),
    )


def _list_words(parted: Parted, numbers: Iterable[int]) -> Iterator[str]:
    for number in numbers:
        yield from list_words(parted.words_of(number))


def _count_dropped(
    parted: Parted, kept: Sequence[int]
) -> tuple[tuple[str, int], ...]:
    """Return how many pieces of each kind were left out, by kind."""
    counts: Counter[str] = Counter()
    chosen = set(kept)
    for number, piece in enumerate(parted.pieces):
        if number not in chosen:
            counts[piece.kind] += 1
    return tuple(sorted(counts.items()))
