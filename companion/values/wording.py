"""Words in one form everywhere: counted things, names as they are compared, pages as text."""

import re
from collections.abc import Sequence
from functools import lru_cache

from companion.patterns import lazy

#: frontmatter at the beginning of a text, its closing line included; `pages.frontmatter` reads it
FRONTMATTER = lazy(
    r"\A---[ \t]*\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL
)


#: why a note stands on its day that is about nothing known
NO_PAGE = "no page is named or near"
NONE_NEAR_ENOUGH = "no page is near enough"


def many(count: int, noun: str) -> str:
    """Return ``1 page``, ``2 pages``, ``1,000 entries``."""
    plural = noun + "s"
    if noun.endswith("ry"):
        plural = noun[:-1] + "ies"
    elif noun.endswith("ch"):
        plural = noun + "es"
    return f"{count:,} {noun if count == 1 else plural}"


def list_words(parts: Sequence[str]) -> str:
    """Return *parts* as people list them: ``a, b and c``."""
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


# how the names of files end that hold others
_CONTAINERS = (".zip", ".mbox", ".json")

# the line that every page of a source has in its first paragraph
_RECALL = "Original: `companion recall "
_SOURCE_HEAD = lazy(
    rf"\s*(?:[^\n]+\n)*?{_RECALL}[a-z2-7]{{16}}`[^\n]*(?:\n[^\n]+)*\n*"
)
_LONGEST_HEAD = 4_000  # characters
_BLANKED = lazy(r"[^\r\n]")


def times_in_words(count: int) -> str:
    """Return how often something happened: ``once``, ``3 times``."""
    return "once" if count == 1 else f"{count} times"


def without_frontmatter(text: str) -> str:
    """Return a page's text without its frontmatter, and of a source without its head.

    The head says where the source is and how much of it stands here: it is alike on all of them,
    and says nothing of what the source is about.
    """
    body = text
    # compiling the expression costs a search more than all that it shows
    if text.startswith("---"):
        body = FRONTMATTER.sub("", text, count=1)
    return body[_length_of_head(body) :]


def blank_source_head(text: str) -> str:
    """Return *text* with blanks in the place of the head of a source; nothing else moves."""
    length = _length_of_head(text)
    return _BLANKED.sub(" ", text[:length]) + text[length:]


def _length_of_head(body: str) -> int:
    if _RECALL not in body[:_LONGEST_HEAD]:
        return 0
    head = _SOURCE_HEAD.match(body)
    return 0 if head is None else head.end()


@lru_cache(maxsize=4096)
def comparable_name(name: str) -> str:
    """Return a name as it is compared.

    One page of the web is one source, whatever is asked of it.
    """
    folded = " ".join(name.casefold().split())
    if not folded.startswith(("https://", "http://")):
        return folded
    address = folded.partition("://")[2].removeprefix("www.")
    return address.split("#")[0].split("?")[0].rstrip("/")


def name_file(origin: str) -> str:
    """Return the name of a file by the path that it came from.

    The name of a member begins with that of the zip, mailbox or array that it was in: alone,
    `000026.eml` names nothing that a person has.
    """
    parts = origin.split("/")
    for number, part in enumerate(parts[:-1]):
        if part.lower().endswith(_CONTAINERS):
            return "/".join(parts[number:])
    return parts[-1]


def without_numbers(reason: str) -> str:
    """Return *reason* without the numbers and rules that follow its sentences in parentheses."""
    while ". (" in reason:
        start = reason.index(". (") + 1
        end = _closing_parenthesis(reason, start + 1)
        if end is None:
            return reason
        reason = reason[:start] + reason[end + 1 :]
    return reason


def _closing_parenthesis(text: str, start: int) -> int | None:
    """Return where the parenthesis that opens at *start* is closed; None if it is not."""
    depth = 0
    for place in range(start, len(text)):
        if text[place] == "(":
            depth += 1
        if text[place] == ")":
            depth -= 1
        if depth == 0:
            return place
    return None
