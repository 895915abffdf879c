"""Make a title for a text that has none. Every capture loads this: standard library only."""

from companion.language.sentence_ends import split_sentences
from companion.patterns import lazy

TITLE_LENGTH = 60  # characters of a headline made from a text without a title

_MARKUP = lazy(
    r"^\s*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?|>\s*|\d+[.)]\s+)+"
    r"|[*_`\[\]]+|<[^>]{1,80}>"
)
# marks with which no title ends
_TRAILING = " .,;:!?。–—-"  # noqa: RUF001 - the dashes are meant
# "at", "of the", "und": what a cut leaves hanging
_DANGLING = lazy(
    r"(?<=\w\w\w\w)(?:[,;:]?\s+(?:[^\W\d_A-Z]{1,3}|about|because|before|from|that"
    r"|when|with|dass|nach|oder|weil|wenn|über))+$"
)


def headline(text: str) -> str:
    """Return a title for *text*, at most `TITLE_LENGTH` characters.

    It is the first line that has words, without markup, cut after a sentence or a word; ``note``
    where no line has a word.
    """
    for line in text.splitlines():
        words = " ".join(_MARKUP.sub("", line).split())
        if any(char.isalnum() for char in words):
            sentence = split_sentences(words)[0]
            return _cut(sentence).rstrip(_TRAILING) or "note"
    return "note"


def _cut(words: str) -> str:
    """Return *words* within `TITLE_LENGTH`, without a short word left hanging at the end."""
    if len(words) <= TITLE_LENGTH:
        return words
    head = words[: TITLE_LENGTH + 1].rsplit(" ", 1)[0]
    if len(head) > TITLE_LENGTH:
        return words[:TITLE_LENGTH]
    return _DANGLING.sub("", head)
