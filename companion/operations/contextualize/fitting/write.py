"""Write what is kept of a source: its head, its sections, and where each stretch came from.

Pieces that follow each other in the source stand together, as one stretch of it, verbatim. A line
break within a paragraph stands where something was left out. Pure.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from companion.operations.contextualize.fitting.pieces import Parted
from companion.operations.contextualize.values import (
    Kept,
    KeptTurn,
    Linkout,
    Reworded,
    Step,
)
from companion.sources.document import Document, Passage
from companion.values.wording import many

# headings of a source stand below those of the page, which mean something
_TOP_LEVEL, _LAST_LEVEL = 3, 6
_DATE = re.compile(r"[\d\s:.-]+(?:\^\w+)?")
_ADDRESS = re.compile(r"https?://[^\s<>]+")
_MARKS = re.compile(r"[\[\]<>`]+")
_MOST_AUTHORS = 5
_MOST_WARNINGS = 3
_LONGEST = 200  # characters of a name in the head


def write_head(
    document: Document, linkout: Linkout, step: Step, kept: int, all_: int
) -> str:
    """Return the lines that every representation begins with (CTX-1).

    They say who made the source, where it is, how its original is fetched, how much of it stands
    here (so many pieces of *all_*), and what its reader could not read or only guessed.
    """
    lines = []
    byline = _write_byline(document)
    if byline:
        lines.append(byline)
    lines.append(f"Source: {_write_target(linkout.target)}")
    lines.append(f"Original: `companion recall {linkout.entry}`")
    lines.append(f"Depth: {step}, {kept:,} of {many(all_, 'sentence')}")
    for warning in document.warnings[:_MOST_WARNINGS]:
        lines.append(f"Note: {_plain(warning)}")
    # two blanks break a line in Markdown
    return "  \n".join(lines)


def write_passages(
    document: Document,
    parted: Parted,
    kept: Sequence[int],
    offset: int,
    reworded: Mapping[int, Sequence[Reworded]] | None = None,
) -> tuple[str, tuple[Kept, ...]]:
    """Return the Markdown of the *kept* pieces and their spans, which begin at *offset*.

    The passages of *reworded*, by their numbers, have these sentences instead.
    """
    writer = _Writer(offset)
    section: list[Passage] = []
    by_passage = _group(parted, kept)
    for number, passage in enumerate(document.passages):
        if passage.kind == "heading":
            section = _enter_section(section, passage)
            continue
        runs = _join_runs(parted, by_passage.get(number, ()))
        if not runs:
            continue
        for heading in section:
            line = _write_heading(heading, document.title)
            if line:
                writer.add(line)
        section = [_said(heading) for heading in section]
        if reworded and number in reworded:
            writer.add_reworded(reworded[number], passage.place)
        else:
            writer.add_runs(parted.text, runs, passage.place)
    return writer.text(), tuple(writer.spans)


def write_turns(
    document: Document, parted: Parted, kept: Sequence[int]
) -> tuple[KeptTurn, ...]:
    """Return the turns, or memories, of which something is *kept*, in their order."""
    turns = []
    by_unit = _group(parted, kept)
    counts = _count_pieces(parted)
    for number in sorted(by_unit):
        runs = _join_runs(parted, by_unit[number])
        writer = _Writer(0)
        if document.turns:
            turn = document.turns[number]
            speaker, role, at = turn.speaker, turn.role, turn.at
            place = turn.place
        else:
            memory = document.memories[number]
            speaker, at, place = memory.agent or "", memory.at, memory.place
            role = "other" if memory.agent else "owner"
        writer.add_runs(parted.text, runs, place)
        whole = len(by_unit[number]) == counts[number]
        turns.append(
            KeptTurn(
                number,
                speaker,
                role,
                at,
                writer.text(),
                tuple(writer.spans),
                whole,
            )
        )
    return tuple(turns)


class _Writer:
    """Text that grows, and the spans in it."""

    def __init__(self, offset: int) -> None:
        self._parts: list[str] = []
        self._at = offset
        self.spans: list[Kept] = []

    def add(self, block: str) -> None:
        """Add a block of its own."""
        self._begin_block()
        self._append(block)

    def add_runs(
        self, text: str, runs: Iterable[tuple[int, int]], place: str
    ) -> None:
        """Add stretches of one passage of the source *text*."""
        self._begin_block()
        for number, (start, end) in enumerate(runs):
            if number:
                self._append("\n")
            self.spans.append(Kept(self._at, start, end, place))
            self._append(text[start:end])

    def add_reworded(self, sentences: Iterable[Reworded], place: str) -> None:
        """Add the sentences that stand for a passage."""
        self._begin_block()
        for number, one in enumerate(sentences):
            if number:
                self._append(" ")
            length = 0 if one.verbatim else len(one.text)
            self.spans.append(Kept(self._at, one.start, one.end, place, length))
            self._append(one.text)

    def text(self) -> str:
        """Return what was added."""
        return "".join(self._parts)

    def _begin_block(self) -> None:
        if self._parts:
            self._append("\n\n")

    def _append(self, part: str) -> None:
        self._parts.append(part)
        self._at += len(part)


def _group(parted: Parted, kept: Sequence[int]) -> dict[int, list[int]]:
    """Return the kept pieces by their passage or turn."""
    groups: dict[int, list[int]] = {}
    for number in kept:
        groups.setdefault(parted.pieces[number].passage, []).append(number)
    return groups


def _count_pieces(parted: Parted) -> dict[int, int]:
    counts: dict[int, int] = {}
    for piece in parted.pieces:
        counts[piece.passage] = counts.get(piece.passage, 0) + 1
    return counts


def _join_runs(parted: Parted, numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return the stretches of pieces that follow each other."""
    runs: list[tuple[int, int]] = []
    before = -2
    for number in numbers:
        piece = parted.pieces[number]
        if number == before + 1:
            runs[-1] = (runs[-1][0], piece.end)
        else:
            runs.append((piece.start, piece.end))
        before = number
    return runs


def _enter_section(
    section: Sequence[Passage], heading: Passage
) -> list[Passage]:
    """Return the headings that what follows *heading* stands under."""
    above = [one for one in section if abs(one.level) < heading.level]
    return [*above, heading]


def _said(heading: Passage) -> Passage:
    """Return a heading that is written already: it keeps its level, and has no words left."""
    return heading._replace(text="")


def _write_heading(heading: Passage, title: str) -> str:
    words = " ".join(heading.text.split()).rstrip("#").strip()
    if not words or words == " ".join(title.split()):
        return ""
    if _DATE.fullmatch(words):
        # as a heading it would be taken for that of a note
        return f"**{words}**"
    level = min(_LAST_LEVEL, max(_TOP_LEVEL, heading.level + 1))
    return f"{'#' * level} {words}"


def _write_byline(document: Document) -> str:
    names = [_plain(name) for name in document.authors[:_MOST_AUTHORS]]
    if len(document.authors) > _MOST_AUTHORS:
        names.append("others")
    parts = []
    if any(names):
        parts.append("By " + ", ".join(name for name in names if name))
    if document.site:
        parts.append(_plain(document.site))
    if document.published_at:
        parts.append(document.published_at[:10])
    return " · ".join(parts)


def _write_target(target: str) -> str:
    if _ADDRESS.fullmatch(target):
        return f"<{target}>"
    return f"`{_plain(target)}`"


def _plain(words: str) -> str:
    """Return *words* on one line, without what Markdown would read in them."""
    return " ".join(_MARKS.sub(" ", words).split())[:_LONGEST]
