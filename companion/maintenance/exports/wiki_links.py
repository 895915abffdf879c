"""Write the links that only a vault understands as links of plain Markdown."""

import re
from collections.abc import Callable, Mapping

# fenced code, code in a line, comments; wikilinks; the id of a block at the end of its line
_TOKEN = re.compile(
    r"(?P<code>^[ ]{0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n.*?(?:^[ ]{0,3}(?P=fence)|\Z)"
    r"|(?<!`)(?P<ticks>`+)(?!`)(?:(?!\n\n).)+?(?<!`)(?P=ticks)(?!`))"
    r"|(?P<comment>%%.*?%%)"
    r"|(?P<mark>!?)\[\[(?P<target>[^\[\]\n]+?)\]\]"
    r"|(?P<block>[ \t]\^[A-Za-z0-9-]+(?=[ \t]*$))",
    re.MULTILINE | re.DOTALL,
)
_ESCAPED = re.compile(r"([\\\[\]*_`<>])")


def write_plain_links(
    body: str, links: Mapping[str, str], address: Callable[[str, str], str]
) -> str:
    """Return *body* with `[[links]]` as Markdown links, without comments and ids of blocks.

    *links* has the paths of pages by the targets as written; *address* makes an address of a path
    and a heading or block. What leads to no page stays as plain words. Code stays as it is.
    """

    def write(found: re.Match[str]) -> str:
        """Return what stands in the place of one token."""
        if found["code"] is not None:
            return found[0]
        if found["target"] is None:
            return ""
        target, _, words = found["target"].partition("|")
        name, _, place = target.removesuffix("\\").partition("#")
        shown = _ESCAPED.sub(r"\\\1", words.strip() or target.strip())
        path = links.get(name.strip())
        return f"[{shown}]({address(path, place)})" if path else shown

    return _TOKEN.sub(write, body)
