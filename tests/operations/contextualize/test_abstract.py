"""What a language model may say of a source: nothing that the source does not."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.judges.llm.reword import LlmRewriter
from companion.language.protocols import Identity, ModelUnavailable, Summary
from companion.language.vectors.static_vectors import StaticEmbedder
from companion.operations.contextualize.fitting.abstract import (
    Abstract,
    abstract,
)
from companion.operations.contextualize.fitting.check_reworded import (
    check_sentence,
)
from companion.operations.contextualize.fitting.fit import fit
from companion.operations.contextualize.fitting.terms import Terms
from companion.operations.contextualize.values import (
    Depth,
    Linkout,
    ReaderContext,
)
from companion.sources.document import Document, Passage
from companion.storage.journal.journal import Journal
from companion.storage.journal.verdicts import Verdicts
from tests.judges.llm.test_client import Parrot, model, parrot

__all__ = ["parrot"]

NOW = "2026-11-23T06:00:00.000000Z"
LINKOUT = Linkout("https://example.org/a", "abcdefgh")
DEPTH = Depth("detailed", 0.7, ())
SOURCE = (
    "The old pump must not be used with water above 60 °C.",
    "Dr. Vogt tested 40 pumps in Kiel in May 2024.",
    "The seal of most pumps failed after three weeks of use.",
    "A new seal costs 4 euros and is sold in every shop.",
)
PUMPS = Document(
    "Pumps",
    (
        Passage("Tests", "heading", 2),
        Passage(" ".join(SOURCE), place="page 3"),
        Passage("- Use a new seal.\n- Test it each week.", "list"),
    ),
)


class Rewriter:
    """Says what it was told to say."""

    def __init__(self, *answers: str, fails: bool = False) -> None:
        self.identity = Identity("llm", "reword-1", "scripted")
        self.answers = list(answers)
        self.fails = fails
        self.asked: list[str] = []

    def summarise(self, text: str, *, depth: float) -> Summary:
        if self.fails:
            raise ModelUnavailable("out of order")
        self.asked.append(text)
        return Summary("", self.answers.pop(0), ())


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Verdicts]:
    journal = Journal.open(str(tmp_path / "journal.db"))
    yield Verdicts(journal, None)


def reworded(log: Verdicts, judge: Rewriter | LlmRewriter) -> Abstract:
    fitted = fit(
        PUMPS, ReaderContext(NOW), DEPTH, StaticEmbedder(), linkout=LINKOUT
    )
    assert fitted.kept == fitted.sentences
    return abstract(PUMPS, fitted, DEPTH, judge, log, NOW, linkout=LINKOUT)


def body(done: Abstract) -> str:
    return done.representation.text.partition("\n\n")[2]


def test_sentences_that_hold_stand_in_place_of_the_paragraph(
    log: Verdicts,
) -> None:
    judge = Rewriter(
        "Most seals failed after three weeks. A seal costs 4 euros."
    )
    done = reworded(log, judge)
    assert body(done) == (
        "### Tests\n\n"
        "Most seals failed after three weeks. A seal costs 4 euros.\n\n"
        "- Use a new seal.\n- Test it each week."
    )
    assert done.representation.refused == 0
    first, second, _ = done.representation.spans
    text = PUMPS.text
    assert text[first.start : first.end] == SOURCE[2]
    assert text[second.start : second.end] == SOURCE[3]
    assert (first.place, first.length) == ("page 3", 36)
    assert 0.3 < done.representation.distortion < 0.9


@pytest.mark.parametrize(
    ("said", "why", "stands"),
    [
        ("A seal costs 5 euros.", "number", SOURCE[3]),
        ("Dr. Vogt and Dr. Berg tested 40 pumps.", "name", SOURCE[1]),
        ("Anna tested 40 pumps in Kiel in May 2024.", "name", SOURCE[1]),
        (
            "The old pump can be used with water above 60 °C.",
            "denial",
            SOURCE[0],
        ),
        ("The seal of most pumps never failed in use.", "denial", SOURCE[2]),
        (
            "The seal of most pumps didn't fail in weeks of use.",
            "denial",
            SOURCE[2],
        ),
    ],
)
def test_what_adds_or_drops_something_is_replaced_by_the_source(
    log: Verdicts, said: str, why: str, stands: str
) -> None:
    terms = Terms(" ".join(SOURCE))
    assert check_sentence(said, SOURCE, terms).objection == why
    done = reworded(log, Rewriter(f"{said} A new seal is sold in every shop."))
    assert said not in body(done)
    assert stands in body(done)
    assert "A new seal is sold in every shop." in body(done)
    assert done.representation.refused == 1


@pytest.mark.parametrize(
    "said",
    [
        "The old pump must not be used above 60 °C.",
        "In May 2024, Dr. Vogt tested 40 pumps.",
        "Most seals failed.",
    ],
)
def test_a_faithful_sentence_passes(said: str) -> None:
    terms = Terms(" ".join(SOURCE))
    assert check_sentence(said, SOURCE, terms).objection is None


def test_the_answer_is_logged_and_replayed(log: Verdicts) -> None:
    judge = Rewriter("A seal costs 4 euros.")
    first = reworded(log, judge)
    assert judge.asked == [" ".join(SOURCE)]
    again = reworded(log, Rewriter(fails=True))
    assert again.representation == first.representation
    assert list(again.used) == list(first.used) != []


def test_a_model_that_is_out_of_order_leaves_the_source_verbatim(
    log: Verdicts,
) -> None:
    done = reworded(log, Rewriter(fails=True))
    assert " ".join(SOURCE) in body(done)
    assert done.tally is not None
    assert done.tally.trouble == "out of order"


def test_the_model_is_shown_data_and_its_answer_read_strictly(
    log: Verdicts, parrot: Parrot
) -> None:
    parrot.answers = ['{"text": "A seal costs 4 euros."}']
    done = reworded(log, LlmRewriter(model()))
    assert "A seal costs 4 euros.\n" in body(done)
    assert "<source " in parrot.heard[0]


def test_an_answer_that_cannot_be_read_leaves_the_source_verbatim(
    log: Verdicts, parrot: Parrot
) -> None:
    parrot.answers = ["Sure! Here is a summary."]
    done = reworded(log, LlmRewriter(model()))
    assert " ".join(SOURCE) in body(done)
    assert done.representation.refused == 0
