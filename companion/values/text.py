"""Where a page's frontmatter ends and its words begin, for everybody who only wants the words."""

import re

#: frontmatter at the beginning of a text, its closing line included; `core.frontmatter` is what
#: reads it
FRONTMATTER = re.compile(r"\A---[ \t]*\r?\n.*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.DOTALL)


def without_frontmatter(text: str) -> str:
    """Return what a page says, without what is noted about it."""
    return FRONTMATTER.sub("", text, count=1)
