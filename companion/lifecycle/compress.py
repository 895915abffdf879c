"""A page in fewer words: what a compressed page keeps of its full text, and how the full text comes
back (MaM §5.3).

Kept are the frontmatter, headings over something, the facts section, `key:: value` lines, every
link and tag, and every line that its owner wrote. Of the rest the chosen sentences stay, in their
own words and places. The frontmatter names the original, which is in cold memory: the linkout is
never traded away. Pure.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from companion.pages import page
from companion.pages.body import HEADING, split_at_facts
from companion.pages.frontmatter import read_front
from companion.pages.frontmatter_keys import set_frontmatter_keys
from companion.pages.ownership_merge import eol_of, lines_of
from companion.values.claims import Span

VERSION = "compress-1"
SHARE = 0.3  # of a page's sentences that its summary keeps
MOST = 40  # sentences that a summary keeps at most, about
SHORTER = 0.8  # a page that keeps more of its words than this is its own summary
DAY, LINKOUT = "compressed", "original"

_FIELD = re.compile(r"[ \t>]*(?:[-*+] )?(?:\[|\()?[^:\n]{1,80}::[ \t]")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]|$)")
_LINK = re.compile(
    r"!?\[\[[^\[\]\n]+\]\]|!?\[(?:[^\[\]\\\n]|\\.|\[[^\[\]\n]*\])*\]\([^\s()]+(?:[ \t]+\"[^\"\n]*\")?\)"
)
_WORD = re.compile(r"\w+")


def depth(text: str) -> float:
    """Return which share of the sentences a summary of *text* keeps, in (0, SHARE]."""
    return min(SHARE, MOST * 80 / max(1, len(text)))


def compress(
    text: str, chosen: Sequence[Span], *, theirs: Collection[str], original: str, day: str
) -> str | None:
    """Return *text* with the sentences *chosen* and what must stay; None where that would hardly be
    shorter.

    *theirs* are the lines, without endings, that the owner wrote. *original* is the blob of the
    full text.
    """
    front = read_front(text)
    if front.problem or (front.meta and not text.startswith("---")):
        return None
    head = len(text) - len(front.body)
    body = _body(text, head, chosen, theirs)
    small = _with_lost(text, text[:head], body)
    if small is None or len(words(small)) >= SHORTER * len(words(text)):
        return None
    return set_frontmatter_keys(small, {DAY: day, LINKOUT: original})


def expand(full: str, summary: str, now: str) -> str | None:
    """Return the *full* text with what was added *now* to the *summary* companion wrote; None where
    they clash.
    """
    return page.merge(summary, full, now)


def words(text: str) -> list[str]:
    """Return the words of a page, frontmatter apart, in lower case: what distortion counts."""
    return [word.casefold() for word in _WORD.findall(read_front(text).body)]


def distortion(original: Sequence[str], summary: Sequence[str]) -> float:
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


def _body(text: str, head: int, chosen: Sequence[Span], theirs: Collection[str]) -> list[str]:
    """Return the lines that stay, without endings."""
    facts = _facts(text[head:])
    starts = {span.start: " ".join(text[span.start : span.end].split()) for span in chosen}
    at, kept = head, list[str]()
    for number, raw in enumerate(lines_of(text[head:])):
        line = raw.rstrip("\r\n")
        if (
            number in facts
            or line in theirs
            or _FIELD.match(line)
            or _HEADING.match(line)
            or not line.strip()
        ):
            kept.append(line)
        else:
            said = [starts[place] for place in sorted(starts) if at <= place < at + len(raw)]
            kept += [" ".join(said)] if said else []
        at += len(raw)
    return _tidy(kept, theirs)


def _facts(body: str) -> set[int]:
    """Return the numbers of the lines of the facts section; any heading of that name stays, too."""
    lines = [line.rstrip("\r\n") for line in lines_of(body)]
    parted = split_at_facts(body)
    section = range(len(parted.before), len(parted.before) + len(parted.section))
    return {
        *section,
        *(number for number, line in enumerate(lines) if line == HEADING),
    }


def _tidy(lines: Iterable[str], theirs: Collection[str]) -> list[str]:
    """Drop headings over nothing and repeated blank lines; the first heading is the title."""
    listed, kept = list(lines), list[str]()
    for number, line in enumerate(listed):
        if not line.strip():
            if kept and kept[-1].strip():
                kept.append("")
            continue
        heading = _HEADING.match(line)
        titles = heading is not None and not any(map(_HEADING.match, kept))
        if (
            heading is None
            or titles
            or line in theirs
            or _covers(listed[number + 1 :], len(heading[1]))
        ):
            kept.append(line)
    return kept


def _covers(below: Iterable[str], level: int) -> bool:
    """Tell whether anything but headings stands under a heading of *level*."""
    for line in below:
        heading = _HEADING.match(line)
        if heading is not None and len(heading[1]) <= level:
            return False
        if heading is None and line.strip():
            return True
    return False


def _with_lost(text: str, head: str, body: Sequence[str]) -> str | None:
    """Return the page of *head* and *body* with the links and tags that would be lost on a line of
    their own.
    """
    eol = eol_of(text)
    full, small = page.parse(text, ""), page.parse(head + eol.join(body), "")
    lost = set(full.links) - set(small.links)
    tokens = [
        token for token in dict.fromkeys(_tokens(text)) if set(page.parse(token, "").links) & lost
    ]
    has = _folded(small.tags)
    tokens += [f"#{tag}" for tag in full.tags if tag.casefold() not in has]
    lines = _before_facts(body, " · ".join(tokens)) if tokens else list(body)
    found = head + eol.join(_trimmed(lines)) + eol
    done = page.parse(found, "")
    whole = set(full.links) <= set(done.links) and _folded(full.tags) <= _folded(done.tags)
    return found if whole else None


def _folded(tags: Iterable[str]) -> set[str]:
    return {tag.casefold() for tag in tags}


def _tokens(text: str) -> Iterator[str]:
    return (found[0] for found in _LINK.finditer(text))


def _before_facts(body: Sequence[str], line: str) -> list[str]:
    at = len(body) - 1 - list(reversed(body)).index(HEADING) if HEADING in body else len(body)
    return [*_trimmed(body[:at]), "", line, "", *body[at:]]


def _trimmed(lines: Sequence[str]) -> list[str]:
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    return kept
