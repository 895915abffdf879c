"""A page in fewer words, and the way back to its full text (MaM §5.3).

A summary keeps the frontmatter, headings that have text below them, the facts section,
`key:: value` lines, every link and tag, and every line that the owner wrote. Of the other
sentences the chosen ones stay, in their own words and places; of a statement at least one,
so that its id and the links to it stay. The frontmatter names the original, which is in cold
memory. Pure.
"""

import re
from collections.abc import Collection, Iterable, Sequence

from companion.judges.summarise import LightSummariser
from companion.pages import body, page
from companion.pages.frontmatter import read_front
from companion.pages.frontmatter_keys import set_frontmatter_keys
from companion.pages.lines import eol_of, lines_of
from companion.pages.statement_edits import format_statement
from companion.pages.statements import (
    MENTIONS,
    Statement,
    is_mention,
    read_statements,
    without_marks,
)
from companion.values.captures import Page
from companion.values.claims import Span

VERSION = "compress-3"
SHARE = 0.3  # of a page's sentences that its summary keeps
MOST = 40  # sentences that a summary keeps at most, about
# a page that keeps more of its words than this is its own summary
SHORTER = 0.8
DAY, LINKOUT = "compressed", "original"

_FIELD = re.compile(r"[ \t>]*(?:[-*+] )?(?:\[|\()?[^:\n]{1,80}::[ \t]")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
# the values of a series
_TABLE = re.compile(r"[ \t]*\|")
# why a statement stands under "Earlier"
_REASON = re.compile(r"Until \d{4}-\d\d-\d\d: ")
_LINK = re.compile(
    r"!?\[\[[^\[\]\n]+\]\]"
    r"|!?\[(?:[^\[\]\\\n]|\\.|\[[^\[\]\n]*\])*\]\([^\s()]+(?:[ \t]+\"[^\"\n]*\")?\)"
)
_WORD = re.compile(r"\w+")


def summary_depth(text: str) -> float:
    """Return the share of the sentences of *text* that its summary keeps, in (0, SHARE]."""
    return min(SHARE, MOST * 80 / max(1, len(text)))


def compress(
    text: str,
    chosen: Sequence[Span],
    *,
    theirs: Collection[str],
    original: str,
    day: str,
) -> str | None:
    """Return *text* with the sentences *chosen* and with everything that must stay.

    Return None where that would hardly be shorter, or where the frontmatter cannot be changed.
    *theirs* are the lines, without endings, that the owner wrote. *original* is the blob of the
    full text.
    """
    front = read_front(text)
    if front.problem or (front.meta and not text.startswith("---")):
        return None
    head = len(text) - len(front.body)
    lines = _kept_lines(text, head, chosen, theirs)
    summary = _with_links_and_tags(text, text[:head], lines)
    if summary is None or len(list_words(summary)) >= SHORTER * len(
        list_words(text)
    ):
        return None
    return set_frontmatter_keys(summary, {DAY: day, LINKOUT: original})


def expand(full: str, summary: str, now: str) -> str | None:
    """Return the *full* text with what was added in *now* to the *summary* that companion wrote.

    Return None where the additions stand in the place of the full text.
    """
    return page.merge(summary, full, now)


def list_words(text: str) -> list[str]:
    """Return the words of a page without its frontmatter, in lower case."""
    return [word.casefold() for word in _WORD.findall(read_front(text).body)]


def measure_distortion(
    original: Iterable[str], summary: Iterable[str]
) -> float:
    """Return the share of the words of *original* that *summary* lacks, in [0, 1].

    A word counts as often as it stands there. The measure is always taken against the original
    (DEC-4): against the last summary, a loss in many steps would look like none.
    """
    from collections import Counter

    counts = Counter(original)
    total = counts.total()
    if total == 0:
        return 0.0
    lost = counts - Counter(summary)
    return round(lost.total() / total, 6)


def _kept_lines(
    text: str, head: int, chosen: Sequence[Span], theirs: Collection[str]
) -> list[str]:
    """Return the lines of the body that stay, without endings."""
    facts = _facts_lines(text[head:])
    blocks = {one.start: one for one in read_statements(text[head:])}
    offset = head
    kept: list[str] = []
    block: Statement | None = None
    first = 0  # of the lines kept of the block
    for number, raw in enumerate(lines_of(text[head:])):
        line = raw.rstrip("\r\n")
        end = offset + len(raw)
        if number in blocks:
            block, first = blocks[number], len(kept)
        elif number in facts or line in theirs or _must_stay(line):
            kept.append(line)
        else:
            kept += _sentences(text, chosen, offset, end)
        offset = end
        if block is not None and number == block.stop - 1:
            kept[first:] = _kept_statement(block, kept[first:], theirs)
            block = None
    return [*_blank_behind(text, head), *_tidy(kept, theirs)]


def _blank_behind(text: str, head: int) -> list[str]:
    """Return the blank line behind the frontmatter, which ends at *head*, if there is one."""
    opens_blank = head > 0 and text[head:].startswith(("\n", "\r\n"))
    return [""] if opens_blank else []


def _kept_statement(
    block: Statement, kept: Sequence[str], theirs: Collection[str]
) -> list[str]:
    """Return the lines of a statement of which *kept* stays; the whole if its owner wrote in it."""
    words = without_marks("\n".join(kept)).strip("\n")
    own = {line for line in block.words.split("\n") if line in theirs}
    if own or not words.strip():
        words = block.words
        if not own:
            words = _most_central(block.words)
    level = 3 if block.earlier else 2
    lines = format_statement(block.id, block.when, words, level=level)
    return ["", *lines, ""]


def _most_central(words: str) -> str:
    spans = LightSummariser().summarise(words, depth=0.0).spans
    if not spans:
        return words
    return " ".join(words[spans[0].start : spans[0].end].split())


def _must_stay(line: str) -> bool:
    if not line.strip() or is_mention(line) or line == MENTIONS:
        return True
    return any(form.match(line) for form in (_FIELD, _HEADING, _REASON, _TABLE))


def _sentences(
    text: str, chosen: Sequence[Span], start: int, end: int
) -> list[str]:
    """Return the chosen sentences that begin in [start, end), as one line if there are any."""
    spans = {span.start: span for span in chosen if start <= span.start < end}
    sentences = [
        " ".join(text[at : spans[at].end].split()) for at in sorted(spans)
    ]
    if not sentences:
        return []
    return [" ".join(sentences)]


def _facts_lines(text: str) -> set[int]:
    """Return the numbers of the lines of the facts section, and of all headings with its name."""
    parts = body.split_at_facts(text)
    first = len(parts.before)
    numbers = set(range(first, first + len(parts.section)))
    for number, line in enumerate(lines_of(text)):
        if line.rstrip("\r\n") == body.HEADING:
            numbers.add(number)
    return numbers


def _tidy(lines: Sequence[str], theirs: Collection[str]) -> list[str]:
    """Drop headings that have no text below them, and repeated blank lines.

    The first heading is the title of the page and stays.
    """
    kept: list[str] = []
    has_title = False
    for number, line in enumerate(lines):
        if not line.strip():
            if kept and kept[-1].strip():
                kept.append("")
            continue
        heading = _HEADING.match(line)
        if heading is not None:
            is_title = not has_title
            is_used = _has_text_below(lines[number + 1 :], len(heading[1]))
            if not (is_title or is_used or line in theirs):
                continue
            has_title = True
        kept.append(line)
    return kept


def _has_text_below(lines: Iterable[str], level: int) -> bool:
    """Return whether anything but headings stands under a heading of *level*."""
    for line in lines:
        heading = _HEADING.match(line)
        if heading is not None and len(heading[1]) <= level:
            return False
        if heading is None and line.strip():
            return True
    return False


def _with_links_and_tags(
    text: str, head: str, kept: Sequence[str]
) -> str | None:
    """Return the page of *head* and *kept* lines, with a line of the links and tags it would lose.

    Return None where some would be lost nevertheless.
    """
    eol = eol_of(text)
    full = page.parse(text, "")
    missing = _missing_links_and_tags(
        text, full, page.parse(head + eol.join(kept), "")
    )
    lines = list(kept)
    if missing:
        lines = _insert_before_facts(kept, " · ".join(missing))
    summary = head + eol.join(_without_blank_end(lines)) + eol
    found = page.parse(summary, "")
    has_links = set(full.links) <= set(found.links)
    has_tags = _casefold(full.tags) <= _casefold(found.tags)
    if not (has_links and has_tags):
        return None
    return summary


def _missing_links_and_tags(text: str, full: Page, summary: Page) -> list[str]:
    """Return the links and tags of *text* that *summary* lacks, as they are written."""
    lost = set(full.links) - set(summary.links)
    written = dict.fromkeys(found[0] for found in _LINK.finditer(text))
    missing = []
    for link in written:
        if lost.intersection(page.parse(link, "").links):
            missing.append(link)
    has = _casefold(summary.tags)
    missing += [f"#{tag}" for tag in full.tags if tag.casefold() not in has]
    return missing


def _casefold(tags: Iterable[str]) -> set[str]:
    return {tag.casefold() for tag in tags}


def _insert_before_facts(lines: Sequence[str], line: str) -> list[str]:
    """Insert *line* before the last heading of a facts section, else at the end."""
    place = len(lines)
    for number, existing in enumerate(lines):
        if existing == body.HEADING:
            place = number
    return [*_without_blank_end(lines[:place]), "", line, "", *lines[place:]]


def _without_blank_end(lines: Sequence[str]) -> list[str]:
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept
