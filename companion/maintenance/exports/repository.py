"""The pages as a repository that GitHub and its like show: relative links, a README to begin with.

GitHub's view of files knows no `[[links]]`, no ids of blocks and no comments of Obsidian. Its rules
for the anchors of headings are those of `slug_of`.
"""

import posixpath
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from urllib.parse import quote

from companion.maintenance.exports.gather import ExportedPage
from companion.maintenance.exports.wiki_links import write_plain_links
from companion.pages.frontmatter import compose

_README = "README.md"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_BLOCK = re.compile(r"(?:^|[ \t])\^([A-Za-z0-9-]+)[ \t]*$")
# what GitHub leaves out of an anchor
_NO_SLUG = re.compile(r"[^\w\- ]")
_MARKUP = re.compile(r"[*`~]+|(?<!\w)_+|_+(?!\w)|!?\[([^\[\]]*)\]\([^()]*\)")
_PROPERTIES = ("title", "tags", "aliases", "created")


def write_repository(
    pages: Sequence[ExportedPage], name: str
) -> Iterator[tuple[str, str]]:
    """Yield (path, text) of every file: the pages at their own paths, and the README.

    A page called README.md stands in for ours.
    """
    for page in pages:
        yield page.path, _write_page(page)
    if all(page.path.casefold() != _README.casefold() for page in pages):
        yield _README, _write_readme(pages, name)


def slug_of(heading: str) -> str:
    """Return the anchor that GitHub gives a heading, without the number of one that repeats."""
    words = _MARKUP.sub(lambda found: found[1] or "", heading)
    return _NO_SLUG.sub("", words.strip().lower()).replace(" ", "-")


def _write_page(page: ExportedPage) -> str:
    folder = posixpath.dirname(page.path)

    def address(path: str, place: str) -> str:
        """Return the address of a place of another page, seen from this one."""
        if path == page.path and place:
            return _fragment(place)
        relative = quote(posixpath.relpath(path, folder or "."))
        return relative + _fragment(place)

    body = "\n".join(_name_blocks(page.body.split("\n")))
    # a link without a name leads to a place of its own page
    links = {**page.links, "": page.path}
    body = write_plain_links(body, links, address)
    meta: dict[str, str | list[str]] = {
        key: page.properties[key]
        for key in _PROPERTIES
        if key in page.properties
    }
    return compose(meta, _with_title(page.title, body))


def _fragment(place: str) -> str:
    """Return the end of an address for a heading, or for a block as `_name_blocks` names it."""
    if not place:
        return ""
    if place.startswith("^"):
        return "#" + quote(f"block-{place[1:]}")
    # a path of headings leads to the last
    return "#" + quote(slug_of(place.rpartition("#")[2]))


def _name_blocks(lines: Sequence[str]) -> Iterator[str]:
    """Yield *lines* with an anchor before each that ends with the id of a block."""
    fence = ""
    for line in lines:
        opened = _FENCE.match(line)
        if opened is not None and not fence:
            fence = opened[1]
        elif opened is not None and opened[1].startswith(fence):
            fence = ""
        block = _BLOCK.search(line)
        if fence or block is None:
            yield line
            continue
        mark, words = _split_mark(line)
        anchor = f'<a id="block-{block[1]}"></a>'
        yield mark + anchor + words.removesuffix(block[0])


def _split_mark(line: str) -> tuple[str, str]:
    """Return the mark of a list, a quotation or a heading that *line* begins with, and the rest."""
    found = re.match(r"(?:[ \t]*(?:[-*+>]|\d+[.)]|#{1,6})[ \t]+)*", line)
    end = found.end() if found is not None else 0
    return line[:end], line[end:]


def _with_title(title: str, body: str) -> str:
    """Return *body* under its title, where it has no heading of the first level."""
    if any(line.startswith("# ") for line in body.splitlines()[:3]):
        return body
    return f"# {_plain(title)}\n\n{body}"


def _write_readme(pages: Sequence[ExportedPage], name: str) -> str:
    parts = [f"# {_plain(name)}\n"]
    by_folder = sorted(pages, key=lambda page: posixpath.dirname(page.path))
    folders = groupby(by_folder, key=lambda page: posixpath.dirname(page.path))
    for folder, inside in folders:
        lines = [
            f"- [{_plain(one.title)}]({quote(one.path)})" for one in inside
        ]
        parts.append(f"## {_plain(folder) or 'Pages'}\n\n" + "\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _plain(text: str) -> str:
    """Return *text* as words of Markdown that mean nothing else."""
    return re.sub(r"([\\\[\]*_`<>])", r"\\\1", text)
