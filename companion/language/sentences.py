"""A note's prose: what of Markdown is words, where sentences end, and words with their places."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

_MARKUP = re.compile(
    r"(?P<fence>^(?P<mark>```+|~~~+)[\s\S]*?(?:^(?P=mark)|\Z))|(?P<comment><!--[\s\S]*?(?:-->|\Z))|(?P<url>\b\w+://\S+)"
    r"|(?P<heading>^ {0,3}#{1,6} .*$)|(?P<wiki>!?\[\[(?:[^\[\]\n|]{0,200}\|)?)|(?P<close>\]\])"
    r"|(?P<target>\]\([^)\n]{0,2000}\))"
    r"|(?P<sign>\*\*|__|~~|==|`)",
    re.MULTILINE,
)
_BULLET = re.compile(
    r"^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,6}[.)][ \t]+)?", re.MULTILINE
)
_LINE = re.compile(r"[^\n]+(?:\n(?![ \t]*(?:\n|$))[^\n]+)*")
_END = re.compile(r"[.!?…]+[\"'\u201d\u2019)\]]*(?=\s+(?:[\"'\u201c\u2018(\[]?[^\s\W]|[-—])|\s*$)")
_TOKEN = re.compile(
    r"[$€£]?\d[\d,.:/'\"½¼¾-]*[\d½¼¾][%\"'½¼¾]?(?!\w)"
    r"|[\w$€£#@&%½¼¾](?:[\w$€£#@&%½¼¾./+'\u2019-]*[\w$€£%+½¼¾])?\.?"
    r"|[,;:()\"\u201c\u201d\u201e!?\u2014\u2013-]"
)
# characters; what is longer is a table or a dump and states nothing that a pattern could read
MAX_SENTENCE = 2_000


class Token(NamedTuple):
    """A word as it stands, and in lower case with a plain apostrophe."""

    text: str
    low: str
    start: int
    end: int


def prose(text: str) -> str:
    """Return *text* with what is not prose blanked out and list items set apart; offsets stay."""
    return _BULLET.sub(_apart, _MARKUP.sub(_blank, text))


def sentences(
    text: str, abbreviations: frozenset[str], *, ordinals: bool = True
) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the sentences of *text*; lists and paragraphs end them too.

    With *ordinals* a short number may have a dot of its own, as in German: "am 3. Mai".
    """
    for block in _LINE.finditer(text):
        start = block.start()
        for stop in _END.finditer(text, block.start(), block.end()):
            if _ends(text, start, stop, abbreviations, ordinals):
                yield from _trimmed(text, start, stop.end())
                start = stop.end()
        yield from _trimmed(text, start, block.end())


def tokens(text: str, start: int, end: int) -> list[Token]:
    """Return the words and marks of text[start:end]; a contraction is two words ("I'm": I, 'm)."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text, start, end):
        found.extend(_parts(match.group(), match.start()))
    return found


def joined(words: list[Token], text: str) -> str:
    """Return *words* as they stand in *text*, or one after the other where they were taken
    apart.
    """
    if not words:
        return ""
    ordered = all(a.end <= b.start for a, b in pairwise(words))
    if ordered and not any(text[a.end : b.start].strip(" \n\t*_`[].") for a, b in pairwise(words)):
        return " ".join(text[words[0].start : words[-1].end].split())
    return " ".join(word.text for word in words)


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _apart(match: re.Match[str]) -> str:
    return re.sub(r".", "\n", match.group()) if match.group().strip() else match.group()


def _ends(
    text: str, start: int, stop: re.Match[str], abbreviations: frozenset[str], ordinals: bool
) -> bool:
    if stop.group()[0] != "." or stop.end() >= len(text):
        return True
    word = re.search(r"[\w.'\u2019-]*$", text[max(start, stop.start() - 30) : stop.start()])
    last = (word.group() if word else "").lower()
    following = text[stop.end() :].lstrip()[:1]
    if following.islower() or last in abbreviations or last.rpartition(".")[2] in abbreviations:
        return False
    if last.isdigit() and len(last) < 3 and following.isupper():
        return not ordinals or text[stop.start() - len(last) - 1] in ":,."  # "um 8:15.", "2,5."
    return not (len(last) == 1 and last.isalpha() and following.isupper())


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    body = text[start:end]
    if body.strip() and len(body) <= MAX_SENTENCE:
        yield start + len(body) - len(body.lstrip()), start + len(body.rstrip())


def _parts(word: str, at: int) -> Iterator[Token]:
    low = word.lower().replace("\u2019", "'")
    if low.endswith(".") and not re.search(r"\.\w+\.$|^[^\W\d]\.$", low):
        word, low = word[:-1], low[:-1]
    cut = re.search(r"(?:n't|'(?:m|re|ve|ll|d|s))$", low)
    if cut is None or not cut.start() or low in ("can't", "won't"):
        yield Token(word, low, at, at + len(word))
        return
    yield Token(word[: cut.start()], low[: cut.start()], at, at + cut.start())
    yield Token(word[cut.start() :], low[cut.start() :], at + cut.start(), at + len(word))
