"""Let the links that companion wrote follow a page that was gathered. Words of notes stay."""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from companion.pages import links
from companion.pages.statements import is_mention
from companion.runs.run import Run

_SEE_ALSO = re.compile(r"See also \[\[[^\[\]\n]+\]\]\.")
_UNTIL = re.compile(
    r"Until \d{4}-\d\d-\d\d: \[\[[^\[\]\n]+\]\] took its place.*"
)
_LINK = re.compile(
    r"\[\[(?P<target>[^\[\]|#\n]+)(?P<rest>#[^\[\]|\n]*)?"
    r"(?:\|(?P<words>[^\[\]\n]*))?\]\]"
)


class Target(NamedTuple):
    """Where the words of a gathered page stand now."""

    name: str  # file name without ending
    id: str  # of the statement


def links_by_hand(run: Run, paths: Iterable[str], old: str) -> str | None:
    """Return the first of *paths* that links the page *old* in a line that companion did not write;
    None if there is none.
    """
    key = links.key(old)
    for path in paths:
        blob = run.repo.subtree(run.tree, path)
        text = run.repo.text(blob, exact=True) if blob else ""
        if _links_elsewhere(text, key):
            return path
    return None


def follow(text: str, targets: Mapping[str, Target]) -> str:
    """Return *text* with the links in lines of companion's led to *targets*, by folded file
    name.
    """
    lines = text.split("\n")
    for n, line in enumerate(lines):
        if _is_own(line):
            lines[n] = _LINK.sub(lambda link: _lead(link, targets), line)
    return "\n".join(lines)


def _lead(link: re.Match[str], targets: Mapping[str, Target]) -> str:
    target = targets.get(links.key(link["target"].strip()))
    if target is None:
        return link[0]
    words = link["words"] or link["target"]
    return f"[[{target.name}#^{target.id}|{words}]]"


def _links_elsewhere(text: str, key: str) -> bool:
    """Tell whether anything but a line of companion's may be the link to *key*."""
    own = False
    for line in text.split("\n"):
        found = {
            links.key(link["target"].strip()) for link in _LINK.finditer(line)
        }
        if key not in found:
            continue
        if not _is_own(line):
            return True
        own = True
    # a link by title, or of another form, that is not seen here
    return not own


def _is_own(line: str) -> bool:
    bare = line.rstrip("\r")
    if is_mention(bare):
        return True
    return bool(_SEE_ALSO.fullmatch(bare) or _UNTIL.fullmatch(bare))
