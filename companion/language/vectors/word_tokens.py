"""The tokens of texts, each word split once.

No piece of this tokenizer goes on over a space that stands behind a letter, so a text's tokens are
those of its words. A night reads the same words in thousands of texts.
"""

from array import array
from collections.abc import Sequence

from companion.annotations import TYPE_CHECKING
from companion.patterns import lazy

if TYPE_CHECKING:
    import numpy
    import tokenizers

# a word, with the spaces before it
_WORD = lazy(" *[^ ]+")
# what the tokenizer takes for one token wherever it stands
_SPECIAL = ("<unk>", "<s>", "</s>")
_MARK = "\u2581"  # what it writes for a space
_MOST = 50_000  # words whose tokens are kept
_LONGEST = 40  # characters of a word that comes again


class SplitWords:
    """A tokenizer that remembers words."""

    def __init__(self, tokenizer: "tokenizers.Tokenizer") -> None:
        self._tokenizer = tokenizer
        # the numbers of a word's tokens, of two bytes each
        self._tokens: dict[str, bytes] = {}

    def split(self, texts: Sequence[str]) -> "list[numpy.ndarray]":
        """Return the tokens of each of *texts*."""
        words = [_list_words(text) for text in texts]
        used = set().union(*words)
        # of a set and a dictionary: of two sets it would go through every word that is kept
        new = sorted(used.difference(self._tokens))
        if len(self._tokens) + len(new) > _MOST:
            self._tokens.clear()
            new = sorted(used)
        # a batch would wake threads, which cost more than words do
        for word in new:
            encoding = self._tokenizer.encode(word, add_special_tokens=False)
            self._tokens[word] = array("H", encoding.ids).tobytes()
        joined = [self._join(some) for some in words]
        for word in new:
            if len(word) > _LONGEST:
                del self._tokens[word]
        return joined

    def _join(self, words: Sequence[str]) -> "numpy.ndarray":
        import numpy

        joined = b"".join(map(self._tokens.__getitem__, words))
        return numpy.frombuffer(joined, dtype=numpy.uint16)


def _list_words(text: str) -> list[str]:
    """Return the words of *text*, each as the tokenizer takes it alone: it puts a space before.

    A text that ends with a space, or has something special, is not parted.
    """
    if text.endswith(" ") or _has_special(text):
        return [text]
    if "  " not in text and not text.startswith(" "):
        return text.split(" ")
    first, *others = _WORD.findall(text) or [text]
    return [first, *(word[1:] for word in others)]


def _has_special(text: str) -> bool:
    if _MARK in text:
        return True
    # looking for one letter takes a tenth of the time
    return "<" in text and any(special in text for special in _SPECIAL)
