"""A site of the wiki that needs nothing but a browser: no script, no network, no server."""

import posixpath
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any
from urllib.parse import quote

from companion.maintenance.exports.gather import ExportedPage
from companion.maintenance.exports.wiki_links import write_plain_links

_STYLE = """
:root { color-scheme: light dark; }
body { font: 17px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 44rem; padding: 1rem; }
nav, footer { font-size: .85rem; opacity: .8; }
pre { overflow-x: auto; } img { max-width: 100%; }
table { border-collapse: collapse; } td, th { border: 1px solid #8886; padding: .2rem .5rem; }
blockquote { border-left: 3px solid #8886; margin-left: 0; padding-left: 1rem; }
a:focus-visible { outline: 3px solid; }
"""
_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
img-src 'self' data:">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def write_site(pages: Sequence[ExportedPage]) -> Iterator[tuple[str, str]]:
    """Yield (path, HTML) of every page, of the start page and of the tags."""
    render = _make_renderer()
    titles = {page.path: page.title for page in pages}
    yield "index.html", _write_start(pages)
    yield "tags.html", _write_tags(pages)
    for page in pages:
        yield f"pages/{page.name}.html", _write_page(page, titles, render)


def _make_renderer() -> Any:
    """Return a renderer of CommonMark with tables, which lets no HTML of a note through."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


def _write_page(page: ExportedPage, titles: dict[str, str], render: Any) -> str:
    folder = posixpath.dirname(f"pages/{page.path}")

    def address(path: str, place: str) -> str:
        """Return the address of another page, seen from this one."""
        return _relative(path, folder)

    body = write_plain_links(page.body, page.links, address)
    up = "../" * (folder.count("/") + 1)
    parts = [
        f'<nav><a href="{up}index.html">all pages</a> · '
        f'<a href="{up}tags.html">tags</a></nav>',
        f"<main><article><h1>{escape(page.title)}</h1>",
        render.render(_without_title(body, page.title)),
        "</article>",
        _list_backlinks(page, titles, folder),
        "</main>",
        f"<footer>{escape(page.path)} · changed {page.changed[:10]}"
        f"{_list_tags(page.tags, up)}</footer>",
    ]
    return _fill(page.title, "\n".join(parts))


def _without_title(body: str, title: str) -> str:
    """Return *body* without a heading that only repeats the title."""
    first, _, rest = body.partition("\n")
    return rest if first.strip() == f"# {title}" else body


def _list_backlinks(
    page: ExportedPage, titles: dict[str, str], folder: str
) -> str:
    if not page.linked_from:
        return ""
    items = [
        f'<li><a href="{escape(_relative(path, folder))}">{escape(titles[path])}</a></li>'
        for path in page.linked_from
    ]
    return "<h2>Linked from</h2>\n<ul>\n" + "\n".join(items) + "\n</ul>"


def _list_tags(tags: Sequence[str], up: str) -> str:
    links = [
        f' · <a href="{up}tags.html#{_anchor(tag)}">#{escape(tag)}</a>'
        for tag in tags
    ]
    return "".join(links)


def _write_start(pages: Sequence[ExportedPage]) -> str:
    parts = ["<main><h1>All pages</h1>", '<p><a href="tags.html">Tags</a></p>']
    last = None
    for page in pages:
        folder = posixpath.dirname(page.path)
        if folder != last:
            parts += ["</ul>"] * (last is not None)
            parts.append(f"<h2>{escape(folder or 'Pages')}</h2><ul>")
            last = folder
        parts.append(_item(page))
    parts += ["</ul>"] * (last is not None)
    return _fill("All pages", "\n".join([*parts, "</main>"]))


def _write_tags(pages: Sequence[ExportedPage]) -> str:
    by_tag: dict[str, list[ExportedPage]] = {}
    for page in pages:
        for tag in page.tags:
            by_tag.setdefault(tag.casefold(), []).append(page)
    parts = [
        '<nav><a href="index.html">all pages</a></nav>',
        "<main><h1>Tags</h1>",
    ]
    for tag, tagged in sorted(by_tag.items()):
        items = "\n".join(map(_item, tagged))
        heading = f'<h2 id="{_anchor(tag)}">#{escape(tag)}</h2>'
        parts.append(f"{heading}\n<ul>\n{items}\n</ul>")
    return _fill("Tags", "\n".join([*parts, "</main>"]))


def _item(page: ExportedPage) -> str:
    href = escape(_relative(page.path, ""))
    return f'<li><a href="{href}">{escape(page.title)}</a></li>'


def _relative(path: str, folder: str) -> str:
    """Return the address of the page at *path*, seen from *folder* of the site."""
    file = f"pages/{posixpath.splitext(path)[0]}.html"
    return quote(posixpath.relpath(file, folder or "."))


def _anchor(tag: str) -> str:
    return quote(tag.casefold(), safe="")


def _fill(title: str, body: str) -> str:
    return _PAGE.format(title=escape(title), style=_STYLE, body=body)
