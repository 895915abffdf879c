"""Fragments of HTML, as answers of assistants are kept in some exports, as Markdown."""

from html.parser import HTMLParser

_BLOCKS = {
    *("p", "div", "ul", "ol", "table", "tr", "blockquote", "pre", "section"),
    *("h1", "h2", "h3", "h4", "h5", "h6", "hr"),
}
_HIDDEN = {"script", "style", "head", "title", "template"}
_MARKS = {"strong": "**", "b": "**", "em": "*", "i": "*", "code": "`"}


def read_html(html: str) -> str:
    """Return the words of *html*: paragraphs apart, list items marked, no tags."""
    parser = _Words()
    parser.feed(html)
    parser.close()
    return parser.text()


class _Words(HTMLParser):
    """Collects the words of a fragment."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._pieces: list[str] = []
        self._hidden = 0
        self._verbatim = 0
        self._lists: list[int] = []  # numbers of ordered lists, -1 else

    def handle_starttag(
        self, tag: str, attrs: list[tuple[str, str | None]]
    ) -> None:
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "br":
            self._pieces.append("\n")
        elif tag == "li":
            self._pieces.append(self._mark_item())
        elif tag in ("td", "th"):
            self._pieces.append("| ")
        elif tag in _BLOCKS:
            self._open_block(tag)
        elif tag in _MARKS and not self._verbatim:
            self._pieces.append(_MARKS[tag])

    def _open_block(self, tag: str) -> None:
        nested = tag in ("ul", "ol") and self._lists
        self._pieces.append("\n" if nested or tag == "tr" else "\n\n")
        if tag in ("ul", "ol"):
            self._lists.append(0 if tag == "ol" else -1)
        elif tag == "pre":
            self._verbatim += 1
            self._pieces.append("```\n")
        elif tag[0] == "h" and tag[1:].isdigit():
            self._pieces.append("#" * int(tag[1:]) + " ")

    def _mark_item(self) -> str:
        indent = "  " * max(0, len(self._lists) - 1)
        if self._lists and self._lists[-1] >= 0:
            self._lists[-1] += 1
            return f"\n{indent}{self._lists[-1]}. "
        return f"\n{indent}- "

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag == "pre":
            self._verbatim = max(0, self._verbatim - 1)
            self._pieces.append("\n```\n\n")
        elif tag in ("ul", "ol") and self._lists:
            self._lists.pop()
            self._pieces.append("" if self._lists else "\n\n")
        elif tag in _BLOCKS:
            self._pieces.append("" if tag == "tr" else "\n\n")
        elif tag in _MARKS and not self._verbatim:
            self._pieces.append(_MARKS[tag])

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        if self._verbatim:
            self._pieces.append(data)
            return
        plain = " ".join(data.split())
        if not plain:
            self._pieces.append(" " if data and self._inline() else "")
            return
        before = " " if data[0].isspace() else ""
        after = " " if data[-1].isspace() else ""
        self._pieces.append(before + plain + after)

    def _inline(self) -> bool:
        return bool(self._pieces) and not self._pieces[-1].endswith("\n")

    def text(self) -> str:
        lines = [line.rstrip() for line in "".join(self._pieces).split("\n")]
        return _join_lines(lines)


def _join_lines(lines: list[str]) -> str:
    """Return *lines* with at most one blank line between them, and none inside of lists."""
    kept: list[str] = []
    verbatim = False
    for line in lines:
        verbatim ^= line.startswith("```")
        text = line if verbatim else _trim(line)
        if text or verbatim or (kept and kept[-1]):
            kept.append(text)
    return "\n".join(kept).strip("\n")


def _trim(line: str) -> str:
    """Return *line* without the spaces before it that mean nothing."""
    bare = line.lstrip()
    if bare.startswith("- ") or bare[:1].isdigit():
        return line
    return bare
