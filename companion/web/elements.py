"""What all pages share: the frame, links, notes as HTML. Every text of a wiki is escaped here or in
`reading/report/html.py`.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any
from urllib.parse import quote, urlencode

from companion.maintenance.exports.wiki_links import write_plain_links
from companion.reading.report import html
from companion.reading.report.html import Html
from companion.values.wording import without_frontmatter

_ROOMS = (
    ("/", "Search"),
    ("/graph", "Graph"),
    ("/branches", "Branches"),
    ("/review", "Review"),
)
# No style of htmx's own, no code in attributes, no other origin, nothing kept in the browser.
_HTMX = (
    '{"includeIndicatorStyles":false,"allowEval":false,"selfRequestsOnly":true,'
    '"historyCacheSize":0,"refreshOnHistoryMiss":true}'
)
_TARGET = re.compile(r"\[\[([^\[\]\n|#]+)")
_ID_SHOWN = 8
_SMALLEST = 6  # level of a heading


def write_page(title: str, *content: str, here: str = "") -> str:
    """Return a whole document; *here* is the address of its room."""
    head = element(
        "head",
        void("meta", charset="utf-8"),
        void(
            "meta",
            name="viewport",
            content="width=device-width, initial-scale=1",
        ),
        void("meta", name="htmx-config", content=_HTMX),
        element("title", f"{title} · companion"),
        void("link", rel="stylesheet", href="/static/style.css"),
        element("script", src="/static/htmx.min.js", defer="defer"),
    )
    rooms = [
        element("li", link(name, href, **_mark(href == here)))
        for href, name in _ROOMS
    ]
    header = element(
        "header",
        link("To the content", "#main", klass="skip"),
        element("nav", element("ul", *rooms), aria_label="Rooms"),
    )
    main = element("main", *content, id="main", tabindex="-1")
    document = element("html", head, element("body", header, main), lang="en")
    return f"<!doctype html>\n{document}"


def _mark(is_here: bool) -> dict[str, str]:
    return {"aria_current": "page"} if is_here else {}


def element(name: str, /, *content: str, **attributes: str) -> Html:
    """Return one element; its texts keep the spaces at their ends."""
    return html.element(name, *map(keep, content), **attributes)


def join(parts: Iterable[str]) -> Html:
    """Return *parts* one after the other."""
    return Html("".join(map(keep, parts)))


def keep(text: str) -> Html:
    """Return *text* as HTML: escaped, without what nobody sees, with its spaces."""
    if isinstance(text, Html):
        return text
    plain = text.encode("utf-8", "replace").decode()
    return Html(
        escape("".join(char if char.isprintable() else " " for char in plain))
    )


def void(name: str, /, **attributes: str) -> Html:
    """Return one element that holds nothing: `<input …>`."""
    return Html(element(name, **attributes).removesuffix(f"</{name}>"))


def link(words: str, href: str, **attributes: str) -> Html:
    """Return a link to an address of this server."""
    return element("a", words, href=href, **attributes)


def link_page(id: str, title: str | None, **query: str) -> Html:
    """Return a link to the page or note of *id*."""
    return link(title or id[:_ID_SHOWN], address_of(id, **query))


def address_of(id: str, **query: str) -> str:
    """Return the address of the page or note of *id*."""
    asked = "?" + urlencode(query) if query else ""
    return f"/page/{quote(id, safe='')}{asked}"


def bullets(items: Sequence[str], **attributes: str) -> Html:
    """Return a list of *items*; nothing where there are none."""
    if not items:
        return Html("")
    return element("ul", *(element("li", item) for item in items), **attributes)


def write_note(
    text: str,
    ends: Mapping[str, str] | None = None,
    unresolved: Sequence[str] = (),
    title: str = "",
) -> Html:
    """Return Markdown as HTML, its `[[links]]` as links: to the entries that *ends* has by their
    targets; what is neither there nor *unresolved* is looked up by its name.

    HTML of a note is shown as text, and pictures as their words: nothing is fetched.
    """
    body = without_frontmatter(text)
    known = {_name_of(target): id for target, id in (ends or {}).items()}
    dead = {_name_of(target) for target in unresolved}
    names = {name.strip() for name in _TARGET.findall(body)}
    links = {name: name for name in names if name not in dead}

    def address(name: str, place: str) -> str:
        """Return where the link to *name* leads."""
        id = known.get(name)
        return _look_up(name, place) if id is None else address_of(id)

    return _render(write_plain_links(body, links, address), title)


def _render(text: str, title: str) -> Html:
    """Return Markdown as HTML; its headings stand below the page's own, which is not repeated."""
    renderer = _renderer()
    tokens = renderer.parse(text)
    begins = [token.type for token in tokens[:2]]
    is_titled = begins == ["heading_open", "inline"]
    if is_titled and tokens[1].content.strip() == title:
        tokens = tokens[3:]
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(int(token.tag[1]) + 1, _SMALLEST)}"
    return Html(renderer.renderer.render(tokens, renderer.options, {}))


def _name_of(target: str) -> str:
    """Return the name that a link is to, without the heading or block."""
    return target.partition("#")[0].strip()


def _look_up(name: str, place: str) -> str:
    """Return the address that looks *name* up; a block of it as `name#^id`."""
    whole = f"{name}#{place}" if place.startswith("^") else name
    return "/find?" + urlencode({"name": whole})


def _renderer() -> Any:
    """Return a renderer of CommonMark with tables, which fetches nothing and runs nothing."""
    global _RENDERER
    if _RENDERER is None:
        from markdown_it import MarkdownIt

        made = MarkdownIt("commonmark", {"html": False})
        _RENDERER = made.enable("table").disable("image")
    return _RENDERER


_RENDERER: Any = None
