"""A note's prose: what of Markdown is words, where sentences end, and words with their places."""

import re
from collections.abc import Iterator
from itertools import pairwise

from companion.language.sentence_ends import find_ends
from companion.patterns import lazy
from companion.tuples import NamedTuple

# what of Markdown is no prose: code blocks, comments, addresses, headings, the marks of links and
# of emphasis
_MARKUP = lazy(
    r"(?P<fence>^(?P<mark>```+|~~~+)[\s\S]*?(?:^(?P=mark)|\Z))"
    r"|(?P<comment><!--[\s\S]*?(?:-->|\Z))"
    r"|(?P<url>\b\w+://\S+)"
    r"|(?P<heading>^ {0,3}#{1,6} .*$)"
    r"|(?P<wiki>!?\[\[(?:[^\[\]\n|]{0,200}\|)?)"
    r"|(?P<close>\]\])"
    r"|(?P<target>\]\([^)\n]{0,2000}\))"
    r"|(?P<sign>\*\*|__|~~|==|`)",
    re.MULTILINE,
)
# "#house", "#work/boat"; "C#" and "#42" are none
_TAG = r"#(?=[\w/-]*[^\W\d])[\w/-]+"
# tags that end a sentence or a line, or begin a line; the mark of one within a sentence
_TAGS = lazy(
    rf"(?<=\S)(?:[ \t]+{_TAG})+(?=[ \t]*(?:[.!?;]|$))"
    rf"|^[ \t]*(?:{_TAG}[ \t]+)*{_TAG}(?=[ \t]|$)"
    rf"|(?<![^\s(])#(?={_TAG[1:]})",
    re.MULTILINE,
)
# what stands before the words of a list item or a quotation: "> - [x] ", "12. "
_BULLET = lazy(
    r"^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+(?:\[[ xX]\][ \t]+)?|\d{1,6}[.)][ \t]+)?",
    re.MULTILINE,
)
# a paragraph: lines up to an empty one
_PARAGRAPH = lazy(r"[^\n]+(?:\n(?![ \t]*(?:\n|$))[^\n]+)*")
# a number with its marks ("$74,500", "3'10"), a word with its inner marks, or a mark alone
_TOKEN = lazy(
    r"[$€£]?\d[\d,.:/'\"½¼¾-]*[\d½¼¾][%\"'½¼¾]?(?!\w|-[^\W\d])"
    r"|[\w$€£#@&%½¼¾](?:[\w$€£#@&%½¼¾./+'\u2019-]*[\w$€£%+½¼¾])?\.?"
    r"|[,;:()\"\u201c\u201d\u201e!?\u2014\u2013-]"
)
# a word whose last dot is its own: "D.C.", "J."
_DOTTED = lazy(r"\.\w+\.$|^[^\W\d]\.$")
# the second word of a contraction: "n't", "'m", "'s"
_CONTRACTION = lazy(r"(?:n't|'(?:m|re|ve|ll|d|s))$")
# characters; what is longer is a table or a dump and states nothing that a pattern could read
MAX_SENTENCE = 2_000


class Token(NamedTuple):
    """A word as it stands, and in lower case with a plain apostrophe."""

    text: str
    low: str
    start: int
    end: int


Words = list[Token]  # in the order of the text, unless a reader says otherwise


def blank_markup(text: str) -> str:
    """Return *text* with what is not prose blanked out and list items set apart; offsets stay."""
    return _BULLET.sub(_set_apart, _MARKUP.sub(_blank, text))


def blank_tags(text: str) -> str:
    """Return *text* without its tags, which are no words of its sentences; offsets stay.

    Of a tag that stands within a sentence ("the #pump leaks") the mark is blanked out.
    """
    return _TAGS.sub(_blank, text)


def find_sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of the sentences of *text*; lists and paragraphs end them too."""
    for paragraph in _PARAGRAPH.finditer(text):
        start = paragraph.start()
        for end in find_ends(text, start, paragraph.end()):
            yield from _trimmed(text, start, end)
            start = end
        yield from _trimmed(text, start, paragraph.end())


def tokenize(text: str, start: int, end: int) -> Words:
    """Return the words and marks of text[start:end]; a contraction is two words ("I'm": I, 'm)."""
    tokens: Words = []
    for match in _TOKEN.finditer(text, start, end):
        tokens += _split_contraction(match.group(), match.start())
    return tokens


def joined(words: Words, text: str) -> str:
    """Return *words* as they stand in *text*.

    Where they were taken apart they come one after the other.
    """
    if not words:
        return ""
    if words[0].start == words[0].end:
        return " ".join(word.text for word in words)  # a word that was left out
    if all(_adjoin(one, other, text) for one, other in pairwise(words)):
        return " ".join(text[words[0].start : words[-1].end].split())
    return " ".join(word.text for word in words)


def _adjoin(one: Token, other: Token, text: str) -> bool:
    """Tell whether only space and marks stand between two words."""
    between = text[one.end : other.start]
    return one.end <= other.start and not between.strip(" \n\t*_`[].")


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", match.group())


def _set_apart(match: re.Match[str]) -> str:
    bullet = match.group()
    if not bullet.strip():
        return bullet
    return re.sub(r".", "\n", bullet)


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    body = text[start:end]
    if body.strip() and len(body) <= MAX_SENTENCE:
        yield start + len(body) - len(body.lstrip()), start + len(body.rstrip())


def _split_contraction(word: str, at: int) -> Words:
    low = word.lower().replace("\u2019", "'")
    if low.endswith(".") and not _DOTTED.search(low):
        word = word[:-1]
        low = low[:-1]
    cut = _contraction_in(low)
    end = at + len(word)
    if not cut:
        return [Token(word, low, at, end)]
    middle = at + cut
    return [
        Token(word[:cut], low[:cut], at, middle),
        Token(word[cut:], low[cut:], middle, end),
    ]


def _contraction_in(low: str) -> int:
    """Return where the second word of a contraction begins; 0 where *low* is one word."""
    if "'" not in low or low in ("can't", "won't"):
        return 0
    match = _CONTRACTION.search(low)
    if match is None:
        return 0
    return match.start()
