"""The trained judge answers alike each time, and survives whatever it is given."""

import shutil
from pathlib import Path

import pytest

from companion.language.protocols import ModelUnavailable, WrongWeights
from companion.language.stance.head import HASHES, HEADS, load_head
from companion.language.stance.read import StanceReader
from companion.language.stance.stance import LABELS
from companion.values.relations import Statement

PAGE = Statement("The shop opens at nine.", "Corner shop")
BAD = {
    "one word": "Tea",
    "empty": "",
    "blank": " \n\t ",
    "marks": "?!… --- ***",
    "digits": "12 13 14",
    "japanese": "店は九時に開きます。",
    "arabic": "يفتح المتجر في التاسعة",
    "a lone surrogate": "the shop \ud800 opens",
    "code": "for x in range(10):\n    print(x ** 2)  # squares",
    "a poem": "O rose\nthou art\nsick\n\nthe worm",
    "one long word": "a" * 50_000,
}


@pytest.fixture(scope="module")
def reader() -> StanceReader:
    return StanceReader()


def test_another_value_of_the_same_matter_contradicts(
    reader: StanceReader,
) -> None:
    note = Statement("The shop opens at ten, not nine.")
    (stance,) = reader.read([(PAGE, note)])

    assert stance.label == "contradicts"
    assert stance.confidence == max(stance.probabilities)
    assert sum(stance.probabilities) == pytest.approx(1, abs=1e-5)
    assert (stance.earlier, stance.later) == (PAGE.text, note.text)


def test_an_answer_does_not_depend_on_the_other_pairs(
    reader: StanceReader,
) -> None:
    notes = [
        "They open at ten on Sundays.",
        "Grandma comes on Sunday.",
        "The shop has opened at nine all week. Bread was sold out.",
    ]
    pairs = [(PAGE, Statement(note)) for note in notes]

    together = reader.read(pairs)
    alone = [StanceReader().read([pair])[0] for pair in pairs]

    for one, other in zip(together, alone, strict=True):
        assert one.label == other.label
        assert one.probabilities == pytest.approx(other.probabilities, abs=2e-6)


def test_the_sentences_that_are_likest_are_quoted(reader: StanceReader) -> None:
    note = "Rain all day. The shop opens at ten. Bought tea."
    (stance,) = reader.read([(PAGE, Statement(note))])

    assert stance.later == "The shop opens at ten."


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_bad_input_is_answered_on_either_side(
    reader: StanceReader, text: str
) -> None:
    strange = Statement(text, "Corner shop")
    for stance in reader.read([(PAGE, strange), (strange, PAGE)]):
        assert stance.label in LABELS
        assert len(stance.probabilities) == len(LABELS)
        assert stance.label != "contradicts"


@pytest.mark.parametrize(
    "name", ["empty", "blank", "marks", "digits", "japanese", "arabic"]
)
def test_what_nobody_can_read_is_unrelated(
    reader: StanceReader, name: str
) -> None:
    (stance,) = reader.read([(PAGE, Statement(BAD[name]))])

    assert stance.label == "unrelated"
    assert stance.earlier == stance.later == ""


def test_a_note_of_200_000_words_is_read_at_its_beginning(
    reader: StanceReader,
) -> None:
    note = Statement("The shop sells tea and bread. " * 33_334)
    (stance,) = reader.read([(PAGE, note)])

    assert len(stance.later) <= 400


def test_no_pair_is_no_answer(reader: StanceReader) -> None:
    assert reader.read([]) == []


def test_the_identity_names_head_and_vectors(reader: StanceReader) -> None:
    identity = reader.identity

    assert identity.name == "stance"
    assert identity.weights == load_head("static").weights
    assert load_head("static").embedder in identity.parameters


def test_changed_weights_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "heads"
    shutil.copytree(HEADS, folder)
    weights = folder / "static.npz"
    weights.write_bytes(weights.read_bytes() + b"\0")

    with pytest.raises(WrongWeights, match="sha256"):
        load_head("static", str(folder))


def test_weights_without_a_known_hash_are_refused(tmp_path: Path) -> None:
    shutil.copy(Path(HEADS) / "static.npz", tmp_path)
    (tmp_path / HASHES).write_text("")

    with pytest.raises(WrongWeights, match="no hash"):
        load_head("static", str(tmp_path))


def test_missing_weights_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match=r"static\.npz"):
        load_head("static", str(tmp_path))
