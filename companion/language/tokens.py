"""Count the tokens of a text by a tokenizer of a language model (LLaMA, 32,000 pieces).

Its file comes with the vectors (`static_vectors`). Other models part texts otherwise, mostly into
fewer pieces, for their vocabularies are larger. Loading it takes .08 s of CPU, so nothing hot does.
"""

from functools import cache

from companion.annotations import TYPE_CHECKING
from companion.errors import CompanionError
from companion.patterns import lazy

if TYPE_CHECKING:
    from tokenizers import Tokenizer


# a word of ASCII, its marks and digits without the white space, or what lies beyond; a class of all
# that is none of these takes sixty times as long to compile
_PIECE = lazy(r"[A-Za-z]+|[\x00-\x08\x0e-\x1b!-@\[-`{-\x7f]+|\n+|[^\x00-\x7f]+")


def count_tokens(text: str) -> int:
    """Return how many tokens *text* has.

    Where the tokenizer's file is missing or another, its bytes: no tokenizer of bytes makes more.
    """
    # lone surrogates are no text
    text = text.encode("utf-8", "replace").decode()
    tokenizer = _open_tokenizer()
    if tokenizer is None:
        return len(text.encode())
    return len(tokenizer.encode(text, add_special_tokens=False).ids)


def bound_tokens(text: str) -> int:
    """Return a number of tokens that *text* hardly exceeds, without loading the tokenizer.

    Of an ASCII word one for every four letters that it begins, of any other mark one, beyond ASCII
    one for each byte of UTF-8.
    """
    tokens = 1
    for match in _PIECE.finditer(text):
        piece = match[0]
        if not piece.isascii():
            tokens += len(piece.encode("utf-8", "replace"))
        elif piece.isalpha():
            tokens += 1 + (len(piece) - 1) // 4
        else:
            tokens += len(piece)
    return tokens


def is_exact() -> bool:
    """Tell whether tokens are counted, not bounded by bytes."""
    return _open_tokenizer() is not None


@cache
def _open_tokenizer() -> "Tokenizer | None":
    from tokenizers import Tokenizer

    from companion.language.vectors.static_vectors import (
        TOKENIZER,
        TOKENIZER_HASH,
        read_checked,
    )

    try:
        data = read_checked(TOKENIZER, TOKENIZER_HASH)
    # the pack says that it was counted by bytes: `ContextResult.counted_by`
    except CompanionError:
        return None
    tokenizer = Tokenizer.from_buffer(data)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
