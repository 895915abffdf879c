"""Words in one form everywhere: counted things, names as they are compared, pages as text."""

import re
from functools import lru_cache

#: frontmatter at the beginning of a text, its closing line included; `pages.frontmatter` reads it
FRONTMATTER = re.compile(
    r"\A---[ \t]*\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL
)


def many(count: int, noun: str) -> str:
    """Return ``1 page``, ``2 pages``, ``1,000 entries``."""
    plural = noun[:-1] + "ies" if noun.endswith("ry") else noun + "s"
    return f"{count:,} {noun if count == 1 else plural}"


def times_in_words(count: int) -> str:
    """Return how often something happened: ``once``, ``3 times``."""
    return "once" if count == 1 else f"{count} times"


def without_frontmatter(text: str) -> str:
    """Return a page's text without its frontmatter."""
    return FRONTMATTER.sub("", text, count=1)


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
