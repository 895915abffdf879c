"""A title for words that have none. On the hot path of a capture: stdlib only."""

import re

TITLE_LENGTH = 60  # characters of a headline made from a text without a title

_MARKUP = re.compile(
    r"^\s*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?|>\s*|\d+[.)]\s+)+|[*_`\[\]]+|<[^>]{1,80}>"
)
_DANGLING = re.compile(
    r"(?<=\w\w\w\w)(?:[,;:]?\s+[^\W\d_A-Z]{1,3})+$"
)  # "at", "of the", "und": what a cut leaves hanging
_SENTENCE = re.compile(r"(?<=[.!?。！？])(?<!\s\d\.)(?<!\s\d\d\.)\s")  # noqa: RUF001 - the full-width stops of CJK text are meant


def headline(text: str) -> str:
    """Return a title for *text*: its first line with words, without markup, cut at a sentence or a
    word.

    Up to `TITLE_LENGTH` characters; ``note`` when there is no word at all.
    """
    for line in text.splitlines():
        words = " ".join(_MARKUP.sub("", line).split())
        if any(char.isalnum() for char in words):
            return _cut(_SENTENCE.split(words, maxsplit=1)[0]).rstrip(".,;:!?。") or "note"
    return "note"


def _cut(words: str) -> str:
    if len(words) <= TITLE_LENGTH:
        return words
    head = words[: TITLE_LENGTH + 1].rsplit(" ", 1)[0]
    return _DANGLING.sub("", head) if len(head) <= TITLE_LENGTH else words[:TITLE_LENGTH]
