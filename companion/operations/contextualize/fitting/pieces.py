"""Part a source into the pieces that are kept or left out: sentences, list items, rows, code.

A piece is a stretch of `Document.text`; nothing is ever cut out of a piece, so that its numbers,
dates and negations stay as they stand. Some pieces say nothing alone and need others: what begins
with a pronoun needs the sentence before, a list item its parent and the line that leads to the
list, a row the head of its table, a short answer the question before it. Time is linear in the
length of the source. Pure.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.language.detect import LANGUAGES, read_language_data
from companion.language.sentence_ends import find_ends
from companion.sources.document import Document, Memory, Passage, Turn

# characters of a piece; a longer sentence is parted between words, and stays verbatim
LONGEST = 1_200
# characters of a list item or a table that stays one piece
_BLOCK = 400
# words of a turn that only answers the question before it
_ANSWER = 6
_LEADS_TO_LIST = re.compile(r"[:\uff1a][*_\"']*\s*\Z")
_ITEM = re.compile(r"^(?P<indent>[ \t]*)(?:[-*+\u2022]|\d{1,6}[.)])[ \t]+")
_LINE = re.compile(r"[^\n]+")
_WORD = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*")
_ASKS = re.compile(r"[?\uff1f]['\"*_)\u201d\u2019]*\s*\Z")
_DIVIDER = re.compile(r"[ \t]*\|?[ \t:|-]+\|?[ \t]*\Z")
_SOFT_BREAK = re.compile(r"\s")


class Piece(NamedTuple):
    """The smallest part of a source that is kept or left out."""

    start: int  # offsets in `Document.text`
    end: int
    kind: str  # "sentence", "item", "row", "code"
    passage: int  # the number of its passage, turn or memory
    needs: tuple[int, ...] = ()  # earlier pieces that it must not stand without
    first: bool = False  # it opens its passage


class Parted(NamedTuple):
    """A source in pieces."""

    text: str
    pieces: tuple[Piece, ...]
    starts: tuple[
        int, ...
    ]  # where each passage, turn or memory begins in *text*

    def words_of(self, number: int) -> str:
        """Return the text of a piece."""
        piece = self.pieces[number]
        return self.text[piece.start : piece.end]


def part(document: Document) -> Parted:
    """Return *document* in pieces, in their order; headings are no pieces."""
    text = document.text
    pieces: list[Piece] = []
    starts: list[int] = []
    offset = 0
    units: list[Passage | Turn | Memory] = list(document.passages)
    units += [*document.turns, *document.memories]
    for number, unit in enumerate(units):
        starts.append(offset)
        end = offset + len(unit.text)
        if isinstance(unit, Passage):
            _add_passage(pieces, text, unit, number, offset)
        else:
            _add_prose(pieces, text, number, offset, end)
        if isinstance(unit, Turn):
            _bind_answer(pieces, text, number)
        offset = end + 2  # the blank line between units
    return Parted(text, tuple(pieces), tuple(starts))


def leads_to_list(text: str) -> bool:
    """Tell whether *text* only announces what follows: "We need:"."""
    return _LEADS_TO_LIST.search(text) is not None


def count_words(text: str) -> int:
    """Return how many words *text* has; a text without any counts by its length."""
    found = sum(1 for _ in _WORD.finditer(text))
    return found or -(-len(text.strip()) // 8)


def _add_passage(
    pieces: list[Piece], text: str, passage: Passage, number: int, start: int
) -> None:
    end = start + len(passage.text)
    if passage.kind == "heading":
        return
    if passage.kind == "list":
        _add_items(pieces, text, number, start, end)
    elif passage.kind == "table":
        _add_rows(pieces, text, number, start, end)
    elif passage.kind == "code":
        if passage.text.strip():
            pieces.append(Piece(start, end, "code", number, first=True))
    else:
        _add_sentences(pieces, text, number, start, end)


def _add_prose(
    pieces: list[Piece], text: str, number: int, start: int, end: int
) -> None:
    """Add a text whose paragraphs and lists nobody has told apart: a turn, a memory."""
    for kind, at, stop in _find_blocks(text, start, end):
        first = at == start
        if kind == "code":
            pieces.append(Piece(at, stop, kind, number, first=first))
        elif kind == "item":
            _add_item(pieces, text, number, at, stop, first=first)
        else:
            _add_sentences(pieces, text, number, at, stop, first=first)


def _find_blocks(
    text: str, start: int, end: int
) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of the blocks of a text: lines that belong together."""
    kind = ""
    at = stop = start
    for line in _LINE.finditer(text, start, end):
        words = line.group()
        fence = words.lstrip().startswith(("```", "~~~"))
        if kind == "code":
            stop = line.end()
            if fence:
                yield kind, at, stop
                kind = ""
            continue
        follows = kind and text.count("\n", stop, line.start()) == 1
        begins = fence or _ITEM.match(words) is not None
        if begins or not follows:
            if kind:
                yield kind, at, stop
            at = line.start()
            kind = _kind_of(words, fence=fence)
        stop = line.end()
    if kind:
        yield kind, at, stop


def _kind_of(line: str, *, fence: bool) -> str:
    if fence:
        return "code"
    if _ITEM.match(line):
        return "item"
    return "sentence"


def _add_item(
    pieces: list[Piece],
    text: str,
    number: int,
    start: int,
    end: int,
    *,
    first: bool,
) -> None:
    head = len(pieces)
    needs = _find_lead(pieces, text, number)
    for at, stop in _cut_item(text, start, end):
        pieces.append(Piece(at, stop, "item", number, needs, first))
        needs = (head,)
        first = False


def _find_lead(
    pieces: Sequence[Piece], text: str, number: int
) -> tuple[int, ...]:
    """Return the line that leads to a list of which the next piece is an item."""
    if not pieces:
        return ()
    last = pieces[-1]
    if last.kind == "item" and last.passage == number:
        while last.kind == "item" and last.needs:
            head = pieces[last.needs[0]]
            if head.kind != "item":
                return last.needs
            last = head
        return ()
    if leads_to_list(text[last.start : last.end]):
        return (len(pieces) - 1,)
    return ()


def _add_items(
    pieces: list[Piece], text: str, number: int, start: int, end: int
) -> None:
    lead = _find_lead(pieces, text, number)
    parents: list[tuple[int, int]] = []  # (indent, piece)
    first = True
    for at, stop in _find_items(text, start, end):
        match = _ITEM.match(text[at:stop])
        indent = len(match["indent"]) if match else 0
        while parents and parents[-1][0] >= indent:
            parents.pop()
        needs = (parents[-1][1],) if parents else lead
        head = len(pieces)
        for begin, finish in _cut_item(text, at, stop):
            pieces.append(Piece(begin, finish, "item", number, needs, first))
            needs = (head,)
            first = False
        parents.append((indent, head))


def _find_items(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the items of a list with the lines that continue them, without blanks around."""
    at = -1
    stop = start
    for line in _LINE.finditer(text, start, end):
        if _ITEM.match(line.group()) and at >= 0:
            yield at, stop
            at = -1
        if at < 0:
            at = line.start()
        stop = line.end()
    if at >= 0:
        yield at, stop


def _cut_item(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield an item whole, or a long one sentence by sentence."""
    if end - start <= _BLOCK:
        yield start, end
        return
    for at, stop in _find_sentences(text, start, end):
        yield from _cut(text, at, stop)


def _add_rows(
    pieces: list[Piece], text: str, number: int, start: int, end: int
) -> None:
    """Add a short table whole, of a longer one its head and each row."""
    if not text[start:end].strip():
        return
    if end - start <= _BLOCK:
        pieces.append(Piece(start, end, "row", number, first=True))
        return
    lines = [line.span() for line in _LINE.finditer(text, start, end)]
    head = 1
    if len(lines) > 1 and _DIVIDER.match(text[slice(*lines[1])]):
        head = 2
    top = len(pieces)
    for at, stop in _cut(text, lines[0][0], lines[head - 1][1]):
        first = len(pieces) == top
        needs = () if first else (top,)
        pieces.append(Piece(at, stop, "row", number, needs, first))
    for row in lines[head:]:
        for at, stop in _cut(text, *row):
            pieces.append(Piece(at, stop, "row", number, (top,)))


def _add_sentences(
    pieces: list[Piece],
    text: str,
    number: int,
    start: int,
    end: int,
    *,
    first: bool = True,
) -> None:
    opened = len(pieces)
    for at, stop in _find_sentences(text, start, end):
        needs: tuple[int, ...] = ()
        if len(pieces) > opened and _points_back(text[at:stop]):
            needs = (len(pieces) - 1,)
        for begin, finish in _cut(text, at, stop):
            pieces.append(
                Piece(begin, finish, "sentence", number, needs, first)
            )
            needs = (len(pieces) - 1,)
            first = False


def _find_sentences(
    text: str, start: int, end: int
) -> Iterator[tuple[int, int]]:
    """Yield the sentences of text[start:end] without the blanks around them.

    Code in a line is never parted: "Use `SELECT ... FOR UPDATE` here."
    """
    at = start
    for stop in (*find_ends(text, start, end), end):
        if stop < end and _is_within_code(text, at, stop):
            continue
        body = text[at:stop]
        if body.strip():
            begin = at + len(body) - len(body.lstrip())
            yield begin, at + len(body.rstrip())
        at = stop


def _is_within_code(text: str, start: int, end: int) -> bool:
    """Tell whether code in a line is open at *end*; one mark alone opens none for long."""
    return end - start <= LONGEST and text.count("`", start, end) % 2 == 1


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield text[start:end] whole, or between words in parts of at most LONGEST characters."""
    while end - start > LONGEST:
        blank = -1
        for match in _SOFT_BREAK.finditer(
            text, start + LONGEST // 2, start + LONGEST
        ):
            blank = match.start()
        stop = blank if blank > start else start + LONGEST
        yield start, stop
        start = stop
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _bind_answer(pieces: list[Piece], text: str, number: int) -> None:
    """Let a short turn need the question that the turn before it ends with."""
    if len(pieces) < 2 or pieces[-1].passage != number:
        return
    answer, question = pieces[-1], pieces[-2]
    is_only = question.passage == number - 1
    asks = _ASKS.search(text[question.start : question.end])
    short = count_words(text[answer.start : answer.end]) <= _ANSWER
    if is_only and asks and short:
        needs = (*answer.needs, len(pieces) - 2)
        pieces[-1] = answer._replace(needs=needs)


def _points_back(sentence: str) -> bool:
    """Tell whether a sentence begins with a word that stands for something said before."""
    match = _WORD.search(sentence)
    if match is None:
        return False
    word = match.group().lower()
    if word in _pronouns():
        return True
    rest = sentence[match.end() : match.end() + 2]
    if rest[:1] != ",":
        return False
    # "However, it …"
    after = _WORD.search(sentence, match.end())
    return after is not None and after.group().lower() in _pronouns()


@lru_cache(maxsize=1)
def _pronouns() -> frozenset[str]:
    """Return the pronouns of things and persons, and the demonstratives, of all languages."""
    words: set[str] = set()
    for language in LANGUAGES:
        kinds = read_language_data(language, "extract")["words"]
        words.update(kinds.get("pronouns", "").split())
    # of the determiners, those that point back when they open a sentence
    words.update(["this", "that", "these", "those", "dies", "dieser", "dieses"])
    words.update(["ce", "cela", "ceci", "esto", "eso", "questo", "ciò"])
    return frozenset(words)
