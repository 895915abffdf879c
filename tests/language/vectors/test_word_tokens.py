"""Words split alone have the tokens that they have in their text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.language.vectors import static_vectors, word_tokens
from companion.language.vectors.word_tokens import SplitWords

ODD = [
    "",
    "the boiler",
    "two  spaces",
    "  before",
    "a \n\n b\tc",
    "<s> a </s> b<unk>c",
    "a \u2581 b\u2581c",
    "店は九時 開く",
    "a\u00a0b 🙂🙂",
    "ends ",
    "w" * 300 + " " + "w" * 300,
]
TEXTS = st.lists(st.text("ab \n<s>/\u2581é9"), max_size=8)
TOKENIZER = static_vectors.build_tokenizer(
    static_vectors.read_checked(
        static_vectors.TOKENIZER, static_vectors.TOKENIZER_HASH
    )
)
KEPT = SplitWords(TOKENIZER)


def split(tokens: SplitWords, texts: list[str]) -> list[list[int]]:
    return [some.tolist() for some in tokens.split(texts)]


def whole(texts: list[str]) -> list[list[int]]:
    encoded = TOKENIZER.encode_batch_fast(texts, add_special_tokens=False)
    return [tokens.ids for tokens in encoded]


def test_odd_texts() -> None:
    assert split(KEPT, ODD) == whole(ODD)
    assert split(KEPT, ODD) == whole(ODD)


@given(TEXTS)
def test_any_texts(texts: list[str]) -> None:
    assert split(KEPT, texts) == whole(texts)


def test_words_are_kept_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_tokens, "_MOST", 3)
    few = SplitWords(TOKENIZER)
    for text in ("one two", "three four", "one five"):
        assert split(few, [text]) == whole([text])
